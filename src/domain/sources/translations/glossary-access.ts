import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { absent, accessInOrganization, organizationFor } from '../../people/access/index.ts';
import type { GlossaryRow } from './glossary-resources.ts';

/** Throws unless the caller has a role in the organization. For reading lists, batched. */
export async function readsGlossary(ctx: Context, organizationId: string): Promise<void> {
  const access = await accessInOrganization(ctx, organizationId);
  if (!access) throw absent(ctx, 'organization', organizationId);
  if (!atLeast(access.role, 'read')) await organizationFor(ctx, organizationId, 'role');
}

/** Entries by id, batched. Only those of organizations in which the caller has a role. */
export const loadGlossaryEntry = rowLoader<GlossaryRow>('glossary entry', async (ctx, ids) => {
  const rows = await ctx.db.selectFrom('glossary_entry').where('id', '=', anyOf(ids)).selectAll().execute();
  const isShown = await Promise.all(
    rows.map(async ({ organizationId }) => atLeast((await accessInOrganization(ctx, organizationId))?.role, 'read')),
  );
  return rows.filter((_, index) => isShown[index]);
});
