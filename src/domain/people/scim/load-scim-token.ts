import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { accessInOrganization, assertAdmin, notVisibleError } from '../access/index.ts';
import { ScimToken } from './entity.ts';

/** A token without its hash. */
export type ScimTokenRow = Omit<Row<'scim_token'>, 'secretHash'>;

export const SCIM_TOKEN_COLUMNS = ['id', 'organizationId', 'label', 'expiresAt', 'lastUsedAt', 'createdAt'] as const;

/** SCIM tokens by id, batched. Only those of organizations that the caller is an admin of. */
export const loadScimToken = entityLoader<ScimTokenRow>(ScimToken, {
  fields: SCIM_TOKEN_COLUMNS,
  isShown: async (ctx, { organizationId }) => (await accessInOrganization(ctx, organizationId))?.role === 'admin',
});

/** Input that names a token. In REST it also has the organization. */
export interface ScimTokenName {
  scimTokenId: string;
  organizationId?: string | null | undefined;
}

/**
 * The SCIM token, if the caller is an admin of its organization. NOT_FOUND for all others, since only admins see
 * tokens; FORBIDDEN for other members of an organization that the input names.
 */
export async function scimTokenFor(
  ctx: Context,
  { scimTokenId: id, organizationId }: ScimTokenName,
): Promise<ScimTokenRow> {
  if (organizationId != null) await assertAdmin(ctx, organizationId);
  const token = await loadScimToken(ctx, id);
  const isThere = token && (organizationId == null || token.organizationId === organizationId);
  if (!isThere) throw notVisibleError(ctx, 'SCIM token', id);
  return token;
}
