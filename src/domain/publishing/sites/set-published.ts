import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { EntityRow } from '../../../platform/database/entity-from-row.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import type { Site } from './entity.ts';

/** Publishes or unpublishes a site. Returns whether that changed anything. */
export async function setPublished(ctx: Context, site: EntityRow<typeof Site>, isPublished: boolean): Promise<boolean> {
  if (site.isPublished === isPublished) return false;
  if (isPublished && !(await hasSpaces(ctx, site))) {
    throw badInput(['siteId'], 'The site has no spaces. Add one first.');
  }
  ctx.em.assign(site, { isPublished, updatedAt: nowOf(ctx) });
  await ctx.em.flush();
  return true;
}

async function hasSpaces({ db }: Context, { id }: EntityRow<typeof Site>): Promise<boolean> {
  const row = await db
    .selectFrom('site_space as l')
    .innerJoin('space as s', 's.id', 'l.spaceId')
    .where('l.siteId', '=', id)
    .where('s.deletedAt', 'is', null)
    .select('l.id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
