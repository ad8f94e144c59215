import type { Context } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import { reaches, roleOn } from '../../people/access/index.ts';

/** Refuses a site that the organization does not have, or that the caller may not see. */
export async function siteOf(ctx: Context, organizationId: string, siteId: string | null | undefined): Promise<void> {
  if (siteId == null) return;
  const found = await ctx.db
    .selectFrom('site as r')
    .where('r.id', '=', siteId)
    .where('r.organizationId', '=', organizationId)
    .where(reaches(roleOn.site(ctx.actor, 'r'), 'read'))
    .select('r.id')
    .executeTakeFirst();
  if (!found) throw badInput(['siteId'], `There is no site "${siteId}" of this organization that you may see.`);
}
