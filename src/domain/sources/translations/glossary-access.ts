import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { accessInOrganization, notVisibleError, organizationFor } from '../../people/access/index.ts';
import { GlossaryEntry } from './entity.ts';
import type { GlossaryRow } from './glossary-resources.ts';

/** Throws unless the caller has a role in the organization. For reading lists, batched. */
export async function readsGlossary(ctx: Context, organizationId: string): Promise<void> {
  const access = await accessInOrganization(ctx, organizationId);
  if (!access) throw notVisibleError(ctx, 'organization', organizationId);
  if (!atLeast(access.role, 'read')) await organizationFor(ctx, organizationId, 'role');
}

/** Entries by id, batched. Only those of organizations in which the caller has a role. */
export const loadGlossaryEntry = entityLoader<GlossaryRow>(GlossaryEntry, {
  isShown: async (ctx, { organizationId }) => atLeast((await accessInOrganization(ctx, organizationId))?.role, 'read'),
});
