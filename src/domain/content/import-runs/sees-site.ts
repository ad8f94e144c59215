import { onlySpacesOf } from '../../../platform/access/actor.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { accessOn, reaches, roleOn } from '../../people/access/index.ts';

/** Whether the caller has a role on a site, batched. Applications that are limited to spaces see none. */
export const seesSite = async (ctx: Context, siteId: string): Promise<boolean> =>
  onlySpacesOf(ctx.actor) === undefined && atLeast((await accessOn.site(ctx, siteId))?.role, 'read');

/** Throws BAD_USER_INPUT for a site that does not belong to the organization or that the caller cannot see. */
export async function rejectUnknownSite(
  ctx: Context,
  organizationId: string,
  siteId: string | null | undefined,
): Promise<void> {
  if (siteId == null) return;
  const site = await ctx.db
    .selectFrom('site as r')
    .where('r.id', '=', siteId)
    .where('r.organizationId', '=', organizationId)
    .where(reaches(roleOn.site(ctx.actor, 'r'), 'read'))
    .select('r.id')
    .executeTakeFirst();
  if (!site) throw badInput(['siteId'], `The organization has no site "${siteId}" that you can see.`, 'NOT_FOUND');
}
