import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import { levelOn, reaches } from '../../people/access/index.ts';

/** Refuses a site that the organization does not have, or that the caller may not see. */
export async function siteOf(ctx: Context, organizationId: string, siteId: string | null | undefined): Promise<void> {
  if (siteId == null) return;
  const { rows } = await sql`
    select from site r where r.id = ${siteId} and r.organization_id = ${organizationId}
      and ${reaches(levelOn.site(ctx.actor, 'r'), 'read')}`.execute(ctx.db);
  if (rows.length === 0)
    throw badInput(['siteId'], `There is no site "${siteId}" of this organization that you may see.`);
}
