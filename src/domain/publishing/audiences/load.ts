import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { notFound, orNull } from '../../../platform/errors/errors.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import { accessLoader, notVisibleError } from '../../people/access/index.ts';
import { siteFor } from '../sites/index.ts';
import { ShareLink } from './entity.ts';

export type ShareLinkRow = Row<'share_link'>;

/** Share links by id, batched. Only those of sites that the caller administers. */
export const loadShareLink = entityLoader<ShareLinkRow>(ShareLink, {
  isShown: async (ctx, { siteId }) => (await accessLoader.site(ctx, siteId))?.role === 'admin',
});

export interface ShareLinkName {
  shareLinkId: string;
  siteId?: string | null | undefined;
  organizationId?: string | null | undefined;
}

/** Converts the ids of an invalid input. */
export const shareLinkNameOf = ({ shareLinkId = '', siteId, organizationId }: Record<string, string>) => ({
  shareLinkId,
  siteId: siteId || null,
  organizationId: organizationId || null,
});

/**
 * The share link, for admins of its site. Only they see it. NOT_FOUND for all others, and if it is absent or not of the
 * named site; FORBIDDEN for others who see a site that the input names. Commands lock the access of the organization,
 * the site and the link.
 */
export async function shareLinkFor(
  ctx: Context,
  { shareLinkId, siteId: named, organizationId }: ShareLinkName,
): Promise<ShareLinkRow> {
  const locks = ctx.inTransaction ? { lock: 'for no key update' as const, changesAccess: true } : {};
  const site = (siteId: string) => siteFor(ctx, { siteId, organizationId }, 'admin', locks);
  if (named != null) await site(named);
  const siteId = named ?? (await loadShareLink(ctx, shareLinkId))?.siteId;
  if (siteId === undefined) throw notVisibleError(ctx, 'share link', shareLinkId);
  if (named == null && !(await orNull(site(siteId)))) throw notVisibleError(ctx, 'share link', shareLinkId);
  const link = await readLink(ctx, shareLinkId);
  if (link?.siteId !== siteId) throw notFound('share link', shareLinkId);
  return recordVersion(ctx, link, { lock: 'held with the site' });
}

const readLink = ({ db }: Context, id: string) =>
  db.selectFrom('share_link').where('id', '=', id).selectAll().executeTakeFirst();

export type AdaptiveSchemaRow = Row<'site_adaptive_schema'>;

/** Schemas of claims by the id of the site, batched, without a check of permissions. */
export const adaptiveSchemaOf = sharedLoader<AdaptiveSchemaRow>('site:adaptive-schema', async (db, ids) => {
  const rows = await db.selectFrom('site_adaptive_schema').where('siteId', '=', anyOf(ids)).selectAll().execute();
  return new Map(rows.map((row) => [row.siteId, row]));
});
