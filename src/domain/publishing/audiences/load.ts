import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { notFound, orNull } from '../../../platform/errors.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { compareVersion } from '../../../platform/version.ts';
import { absent, accessOn } from '../../people/access/index.ts';
import { siteFor } from '../sites/index.ts';

export type ShareLinkRow = Row<'share_link'>;

/** Share links by id, batched. Only those of sites that the caller administers. */
export const loadShareLink = rowLoader<ShareLinkRow>('share link', async (ctx, ids) => {
  const found = await ctx.db.selectFrom('share_link').where('id', '=', anyOf(ids)).selectAll().execute();
  const access = await Promise.all(found.map(({ siteId }) => accessOn.site(ctx, siteId)));
  return found.filter((_, index) => access[index]?.role === 'admin');
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
 * The share link, for admins of its site, who alone see it. NOT_FOUND for all others, and if it is absent or not of the named
 * site; FORBIDDEN for others who see a site that the input names. Commands hold the access of the organization, the site and
 * the link.
 */
export async function shareLinkFor(
  ctx: Context,
  { shareLinkId, siteId: named, organizationId }: ShareLinkName,
): Promise<ShareLinkRow> {
  const holding = ctx.inTransaction ? { lock: 'for no key update' as const, changesAccess: true } : {};
  const site = (siteId: string) => siteFor(ctx, { siteId, organizationId }, 'admin', holding);
  if (named != null) await site(named);
  const siteId = named ?? (await loadShareLink(ctx, shareLinkId))?.siteId;
  if (siteId === undefined) throw absent(ctx, 'share link', shareLinkId);
  if (named == null && !(await orNull(site(siteId)))) throw absent(ctx, 'share link', shareLinkId);
  const link = await readLink(ctx, shareLinkId);
  if (link?.siteId !== siteId) throw notFound('share link', shareLinkId);
  return compareVersion(ctx, link, { lock: 'held with the site' });
}

const readLink = ({ db }: Context, id: string) =>
  db.selectFrom('share_link').where('id', '=', id).selectAll().executeTakeFirst();
