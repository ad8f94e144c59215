import type { Role } from '../../../platform/access/roles.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { compareVersion } from '../../../platform/operation/version.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { accessOn, notVisibleError, permissions } from '../../people/access/index.ts';
import { type SiteRow, siteFor } from '../sites/index.ts';
import { SiteRedirect } from './entity.ts';

export type RedirectRow = Row<'site_redirect'>;

export const siteRedirectId = idOf('redirect');

interface RedirectName {
  siteRedirectId: string;
  siteId?: string | null | undefined;
  organizationId?: string | null | undefined;
}

/** A redirect with its site, for callers with the wanted role on the site. NOT_FOUND if it is absent or hidden. */
export async function redirectFor(
  ctx: Context,
  { siteRedirectId: id, siteId, organizationId }: RedirectName,
  role: Role,
  { lock = false } = {},
): Promise<{ site: SiteRow; redirect: RedirectRow }> {
  const options = lock ? { lock: 'for no key update' as const } : {};
  const named = siteId == null ? undefined : await siteFor(ctx, { siteId, organizationId }, role, options);
  const redirect = await ctx.db.selectFrom('site_redirect').where('id', '=', id).selectAll().executeTakeFirst();
  if (!redirect || (named && redirect.siteId !== named.id)) throw notVisibleError(ctx, 'redirect', id);
  const site = named ?? (await orNull(siteFor(ctx, { siteId: redirect.siteId, organizationId }, role, options)));
  if (!site) throw notVisibleError(ctx, 'redirect', id);
  return { site, redirect: compareVersion(ctx, redirect, { lock: lock ? 'held with the site' : undefined }) };
}

/** The `authorize` of operations on a redirect. */
export const authorizeRedirect =
  (role: Role) =>
  (ctx: Context, { siteRedirectId: id = '', siteId, organizationId }: Record<string, string>) =>
    redirectFor(ctx, { siteRedirectId: id, siteId: siteId || null, organizationId: organizationId || null }, role);

/** Redirects by id, batched. Only those of sites that the caller has a role on. */
export const loadSiteRedirect = entityLoader<RedirectRow>(SiteRedirect, {
  isShown: async (ctx, { siteId }) =>
    atLeast((await accessOn.site(ctx, siteId))?.role, permissions.getSiteRedirect.site),
});
