import { sql } from 'kysely';
import { visitsOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { andThen, batchLoader, type MaybePromise } from '../../../platform/reads/loader.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';

/** Parts of the address of a site. */
export interface AddressRow {
  isPublished: boolean;
  visibility: Row<'site'>['visibility'];
  verifiedHostname: string | null;
  /** Segment of the organization. */
  organization: string;
  /** Segment of the site. */
  basename: string;
}

/** Columns of `AddressRow`, and the joins they need, in statements that read sites as `si`. */
export const ADDRESS_COLUMNS = sql`si.is_published, si.visibility, coalesce(o.hostname, o.id) as organization,
  case when ch.verified_at is not null then si.hostname end as verified_hostname, coalesce(si.basename, si.id) as basename`;
export const ADDRESS_JOINS = sql`join organization o on o.id = si.organization_id
  left join custom_hostname ch on ch.hostname = si.hostname and ch.site_id = si.id`;

const selectAddresses = statement(
  (_db, { siteIds }: { siteIds: string[] }) => sql<AddressRow & { id: string }>`
    select si.id, ${ADDRESS_COLUMNS} from site si ${ADDRESS_JOINS} where si.id = any(${siteIds}::text[])`,
);

const readAddresses = sharedRead(async (db, siteIds) => {
  const rows = await selectAddresses({ db }, { siteIds });
  return new Map(rows.map((row) => [row.id, row]));
});

/** URL at which a site is, or would be, published. */
export interface SiteAddress {
  isPublished: boolean;
  /** Absolute URL without a slash at the end. */
  url: string;
  /** The URL on the shared host, which works with or without a custom hostname. */
  shared: string;
  /**
   * The key by which the caller visits a site with share links. Without it, the URLs of the site would not work for the
   * caller.
   */
  shareKey?: string | undefined;
}

/**
 * The address of a site: its verified custom hostname, otherwise `<SITES_URL>/<organization's hostname or
 * id>/<basename>`. Batched.
 */
export const siteAddress = batchLoader<SiteAddress>('site:address', async (ctx, siteIds) => {
  const rows = await readAddresses(ctx, siteIds);
  return new Map([...rows].map(([id, row]) => [id, addressOf(ctx, id, row)]));
});

/** The address of a site whose row was read otherwise. */
export function addressOf(
  { actor, services: { config } }: Pick<Context, 'actor' | 'services'>,
  siteId: string,
  { isPublished, visibility, verifiedHostname, organization, basename }: AddressRow,
): SiteAddress {
  const shared = `${config.sitesUrl}/${encodeURIComponent(organization)}/${encodeURIComponent(basename)}`;
  const url = verifiedHostname === null ? shared : `https://${verifiedHostname}`;
  const visits = visibility === 'share-link' ? visitsOf(actor).filter((visit) => visit.siteId === siteId) : [];
  return { isPublished, url, shared, shareKey: visits.find(({ shareKey }) => shareKey !== undefined)?.shareKey };
}

/** The URL at which the caller reads a site, without a slash at the end: with the share key, if the caller has one. */
export const rootUrl = ({ url, shareKey }: Pick<SiteAddress, 'url' | 'shareKey'>): string =>
  shareKey === undefined ? url : `${url}/${encodeURIComponent(shareKey)}`;

/** The URL of a path on a site, given as segments. Undefined while the site is not published. */
export const publishedUrl = (ctx: Context, siteId: string, path: string[] = []): MaybePromise<string | undefined> =>
  andThen(siteAddress.peek(ctx, siteId), (address) => urlAt(address, path));

/** The same at an address that was loaded before. */
export function urlAt(address: SiteAddress | undefined, path: readonly string[]): string | undefined {
  if (!address?.isPublished) return undefined;
  return urlBelow(address, path);
}

/** The URL of a path on a site, whether or not the site is published. */
export function urlBelow(address: SiteAddress, path: readonly string[]): string {
  let url = `${rootUrl(address)}/`;
  for (const segment of path) url += `${encodeURIComponent(segment)}/`;
  return url;
}

/** Segments of URLs below `SITES_URL` that previews begin with. The id of the site follows. */
export const PREVIEW_PATH = ['url', 'preview'] as const;

/** The URL at which members preview a site, with a slash at the end. */
export const previewUrl = ({ services: { config } }: Pick<Context, 'services'>, siteId: string): string =>
  `${config.sitesUrl}/${PREVIEW_PATH.join('/')}/${siteId}/`;
