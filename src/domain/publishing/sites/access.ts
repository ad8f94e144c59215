import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type EntityRow, entityFromRow } from '../../../platform/database/entity-from-row.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import {
  type Access,
  authorize,
  decideBeforeLocks,
  isVisible,
  type LockOptions,
  loadWithAccess,
  notVisibleError,
  resourceRows,
  type ShareCredentials,
} from '../../people/access/index.ts';
import { Site } from './entity.ts';

/** A site with the caller's access to it. */
export type SiteRow = Row<'site'> & Access;

interface SiteName {
  siteId: string;
  organizationId?: string | null | undefined;
}

/**
 * The site, if the caller has the wanted access. NOT_FOUND if it is absent, hidden or not in the given organization,
 * FORBIDDEN if the role is too low.
 */
export async function siteFor(
  ctx: Context,
  { siteId, organizationId }: SiteName,
  requiredRole: Role | 'view',
  options: LockOptions & ShareCredentials = {},
): Promise<SiteRow> {
  const decide = async (deciding: Context) => {
    const row = await loadWithAccess<Row<'site'>>(deciding, 'site', siteId, options);
    if (row && organizationId != null && row.organizationId !== organizationId)
      throw notVisibleError(deciding, 'site', siteId);
    return authorize(deciding, row, { what: 'site', id: siteId, shareKey: options.shareKey }, requiredRole);
  };
  return recordVersion(ctx, await decideBeforeLocks(ctx, decide, options), options);
}

/** Returns the site as a locked entity, for commands that change it. Throws the errors of `siteFor`. */
export const siteForChange = async (
  ctx: Context,
  name: SiteName,
  requiredRole: Role,
  options: { changesAccess?: boolean } = {},
): Promise<EntityRow<typeof Site>> =>
  entityFromRow(ctx, Site, await siteFor(ctx, name, requiredRole, { ...options, lock: 'for no key update' }));

/** The `authorize` of operations that name their site by `siteName`. */
export const authorizeSite =
  (requiredRole: Role | 'view') =>
  (ctx: Context, { siteId = '', organizationId }: Record<string, string>) =>
    siteFor(ctx, { siteId, organizationId: organizationId || null }, requiredRole);

/** Sites by id, batched. Only sites that the caller can see. */
export const loadSite = rowLoader<Row<'site'>>('site', async (ctx, ids) => {
  const rows = await resourceRows<Row<'site'>>(ctx, { kind: 'site', ids });
  return rows.filter(isVisible);
});
