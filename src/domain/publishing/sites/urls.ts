import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import { andThen, batchLoader, type MaybePromise } from '../../../platform/loader.ts';

const readAddresses = statement((db, { siteIds }: { siteIds: string[] }) =>
  db
    .selectFrom('site as si')
    .innerJoin('organization as o', 'o.id', 'si.organizationId')
    .where('si.id', '=', anyOf(siteIds))
    .leftJoin('custom_hostname as ch', (join) =>
      join.onRef('ch.hostname', '=', 'si.hostname').onRef('ch.siteId', '=', 'si.id'),
    )
    .select(sql<string | null>`case when ch.verified_at is not null then si.hostname end`.as('verifiedHostname'))
    .select(['si.id', 'si.isPublished', sql<string>`coalesce(o.hostname, o.id)`.as('organization')])
    .select(sql<string>`coalesce(si.basename, si.id)`.as('basename')),
);

/** Where a site is, or would be, published. */
export interface SiteAddress {
  isPublished: boolean;
  /** Absolute URL without a slash at the end. */
  url: string;
  /** The URL on the shared host, where the site is reached at any rate. */
  shared: string;
}

/**
 * The address of a site: its verified custom hostname, otherwise `<SITES_URL>/<organization's hostname or id>/<basename>`.
 * Batched.
 */
export const siteAddress = batchLoader<SiteAddress>('site:address', async (ctx, siteIds) => {
  const rows = await readAddresses(ctx, { siteIds });
  const { sitesUrl } = ctx.services.config;
  return new Map(
    rows.map(({ id, isPublished, verifiedHostname, organization, basename }) => {
      const shared = `${sitesUrl}/${encodeURIComponent(organization)}/${encodeURIComponent(basename)}`;
      return [id, { isPublished, url: verifiedHostname === null ? shared : `https://${verifiedHostname}`, shared }];
    }),
  );
});

/** The URL of a path on a site, given as segments. Undefined while the site is not published. */
export const publishedUrl = (ctx: Context, siteId: string, path: string[] = []): MaybePromise<string | undefined> =>
  andThen(siteAddress.now(ctx, siteId), (address) => urlAt(address, path));

/** The same at an address that was loaded before. */
export function urlAt(address: SiteAddress | undefined, path: readonly string[]): string | undefined {
  if (!address?.isPublished) return undefined;
  let url = `${address.url}/`;
  for (const segment of path) url += `${encodeURIComponent(segment)}/`;
  return url;
}

/** Segments of URLs below `SITES_URL` that previews begin with. The id of the site follows. */
export const PREVIEW_PATH = ['url', 'preview'] as const;

/** The URL at which members preview a site, with a slash at the end. */
export const previewUrl = ({ services: { config } }: Pick<Context, 'services'>, siteId: string): string =>
  `${config.sitesUrl}/${PREVIEW_PATH.join('/')}/${siteId}/`;
