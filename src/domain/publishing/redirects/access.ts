import type { Role } from '../../../platform/access/roles.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { accessLoader, type LockOptions, notVisibleError, permissions } from '../../people/access/index.ts';
import { type SiteRow, siteFor } from '../sites/index.ts';
import { SiteRedirect } from './entity.ts';

export type RedirectRow = Row<'site_redirect'>;

export const siteRedirectId = idOf('redirect');

interface RedirectName {
  siteRedirectId: string;
  siteId?: string | null | undefined;
  organizationId?: string | null | undefined;
}

/**
 * A redirect with its site, for callers with the wanted role on the site. NOT_FOUND if it is absent or hidden. With
 * `lock`, the site is locked before the redirect is read.
 */
export async function redirectFor(
  ctx: Context,
  name: RedirectName,
  role: Role,
  { lock = false } = {},
): Promise<{ site: SiteRow; redirect: RedirectRow }> {
  const { siteRedirectId: id, siteId, organizationId } = name;
  const options = lock ? { lock: 'for no key update' as const } : {};
  const site =
    siteId == null
      ? await siteOfRedirect(ctx, name, role, options)
      : await siteFor(ctx, { siteId, organizationId }, role, options);
  const redirect = await readRedirect(ctx, id);
  if (redirect?.siteId !== site.id) throw notVisibleError(ctx, 'redirect', id);
  return { site, redirect: recordVersion(ctx, redirect, { lock: lock ? 'held with the site' : undefined }) };
}

/** The site of a redirect that is named without it. */
async function siteOfRedirect(
  ctx: Context,
  { siteRedirectId: id, organizationId }: RedirectName,
  role: Role,
  options: LockOptions,
): Promise<SiteRow> {
  const redirect = await readRedirect(ctx, id);
  const site = redirect && (await orNull(siteFor(ctx, { siteId: redirect.siteId, organizationId }, role, options)));
  if (!site) throw notVisibleError(ctx, 'redirect', id);
  return site;
}

const readRedirect = ({ db }: Context, id: string): Promise<RedirectRow | undefined> =>
  db.selectFrom('site_redirect').where('id', '=', id).selectAll().executeTakeFirst();

/** The `authorize` of operations on a redirect. */
export const authorizeRedirect =
  (role: Role) =>
  (ctx: Context, { siteRedirectId: id = '', siteId, organizationId }: Record<string, string>) =>
    redirectFor(ctx, { siteRedirectId: id, siteId: siteId || null, organizationId: organizationId || null }, role);

/** Redirects by id, batched. Only those of sites that the caller has a role on. */
export const loadSiteRedirect = entityLoader<RedirectRow>(SiteRedirect, {
  isShown: async (ctx, { siteId }) =>
    atLeast((await accessLoader.site(ctx, siteId))?.role, permissions.getSiteRedirect.site),
});
