import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { prefixOf } from '../../../platform/ids/ids.ts';
import { executeRows } from '../../people/access/index.ts';
import { PREVIEW_PATH } from '../sites/index.ts';
import { pathSegments } from '../structure/index.ts';

/** A site that a URL belongs to, and the path of the URL on it. */
export interface SiteAddressMatch {
  siteId: string;
  organizationId: string;
  visibility: Row<'site'>['visibility'];
  /** Whether the URL belongs to a preview, which requires a token for previews. */
  isPreview: boolean;
  /** Segments of the URL that lead to the site, as they are written. */
  base: readonly string[];
  /** The further segments, raw and decoded. */
  rest: readonly UrlSegment[];
}

export interface UrlSegment {
  raw: string;
  decoded: string;
}

/**
 * The site at a URL: below `SITES_URL` by the hostname or id of its organization and its basename or id, or at its
 * verified custom hostname; or one that the URL previews. Undefined if there is none. Does not check permissions or
 * whether the site is published.
 */
export async function resolveSiteUrl(
  ctx: Context,
  { host, hostname, pathname }: URL,
): Promise<SiteAddressMatch | undefined> {
  const shared = new URL(ctx.services.config.sitesUrl);
  const rawSegments = pathname.split('/').filter((segment) => segment !== '');
  const decoded = pathSegments(pathname);
  const split = (count: number, isPreview = false) => ({
    isPreview,
    base: rawSegments.slice(0, count),
    rest: rawSegments
      .slice(count)
      .map((segment, index) => ({ raw: segment, decoded: decoded[count + index] ?? segment })),
  });
  if (host === PREVIEW_HOST) return previewOf(ctx, decoded[0], split(1, true));
  if (host !== shared.host) {
    const site = await siteAt(
      ctx,
      sql`
      join custom_hostname ch on ch.hostname = si.hostname and ch.site_id = si.id
      where si.hostname = ${hostname.toLowerCase()} and ch.verified_at is not null`,
    );
    return site && { ...site, ...split(0) };
  }
  const above = pathSegments(shared.pathname);
  if (!above.every((segment, index) => segment === decoded[index])) return undefined;
  const below = decoded.slice(above.length);
  const [organization, basename, siteId] = below;
  if (prefixOf(siteId ?? '') === 'site' && PREVIEW_PATH.every((segment, index) => segment === below[index])) {
    return previewOf(ctx, siteId, split(above.length + PREVIEW_PATH.length + 1, true));
  }
  if (organization === undefined || basename === undefined) return undefined;
  const site = await siteAt(
    ctx,
    sql`
    join organization o on o.id = si.organization_id
    where (o.hostname = ${organization} or o.id = ${organization}) and (si.basename = ${basename} or si.id = ${basename})
    order by si.basename is distinct from ${basename} limit 1`,
  );
  return site && { ...site, ...split(above.length + 2) };
}

/** The host that renderers ask for, when they show `<their URL>/url/preview/<site id>/`. */
const PREVIEW_HOST = 'preview';

async function previewOf(
  ctx: Context,
  siteId: string | undefined,
  parts: Pick<SiteAddressMatch, 'isPreview' | 'base' | 'rest'>,
): Promise<SiteAddressMatch | undefined> {
  const site = siteId === undefined ? undefined : await siteAt(ctx, sql`where si.id = ${siteId}`);
  return site && { ...site, ...parts };
}

type Found = Pick<SiteAddressMatch, 'siteId' | 'organizationId' | 'visibility'>;

async function siteAt(ctx: Context, condition: ReturnType<typeof sql>): Promise<Found | undefined> {
  const [site] = await executeRows<Found>(
    ctx,
    sql`select si.id as site_id, si.organization_id, si.visibility from site si ${condition}`,
  );
  return site;
}
