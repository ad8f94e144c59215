import { type Context, nowOf } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import type { SiteRow } from './access.ts';
import { siteContents } from './features.ts';

/** Publishes or unpublishes a locked site. Returns whether that changed anything. */
export async function setPublished(ctx: Context, { id, isPublished }: SiteRow, wanted: boolean): Promise<boolean> {
  if (isPublished === wanted) return false;
  if (wanted && !(await siteContents(ctx, id))?.siteSpaces) {
    throw badInput(['siteId'], 'The site has no spaces. Add one first.');
  }
  await ctx.db
    .updateTable('site')
    .set({ isPublished: wanted, updatedAt: nowOf(ctx) })
    .where('id', '=', id)
    .execute();
  return true;
}
