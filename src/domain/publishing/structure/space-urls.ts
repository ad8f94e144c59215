import { type RawBuilder, sql } from 'kysely';
import { onlySpacesOf } from '../../../platform/access/actor.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { statement } from '../../../platform/database/statement.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';
import { accessLoader, executeRows, isPlaceShownSql } from '../../people/access/index.ts';
import { isOpenToAll, type PublishedUrls } from '../../places/spaces/index.ts';
import { ADDRESS_COLUMNS, ADDRESS_JOINS, type AddressRow, addressOf, siteAddress, urlAt } from '../sites/index.ts';

interface PublishedPlace extends AddressRow {
  spaceId: string;
  siteId: string;
  /** Of the section and of the site space. Null for defaults, which have no segment. */
  sectionPath: string | null;
  path: string | null;
}

const WIDEST_FIRST = sql.lit(['public', 'unlisted', 'share-link', 'visitor-auth'].join(' '));

/** The place of each space on the published site with the widest audience, the oldest of several, with its address. */
const placesOf = (spaceIds: readonly string[], isKnown: RawBuilder<unknown>) => sql<PublishedPlace>`
  select distinct on (ss.space_id) ss.space_id, ss.site_id, ${ADDRESS_COLUMNS},
    case when not sec.is_default then sec.path end as section_path, case when not ss.is_default then ss.path end as path
  from site_space ss join site si on si.id = ss.site_id ${ADDRESS_JOINS} left join site_item sec on sec.id = ss.section_id
  where ss.space_id = any(${spaceIds}::text[]) and si.is_published and si.organization_id = ss.organization_id and ${isKnown}
  order by ss.space_id, position(si.visibility in ${WIDEST_FIRST}), si.created_at, ss.id`;

const selectPlaces = statement((_db, { spaceIds }: { spaceIds: string[] }) => placesOf(spaceIds, sql`true`));

const readPlaces = sharedRead<PublishedPlace>(async (db, spaceIds) => {
  const rows = await selectPlaces({ db }, { spaceIds });
  return new Map(rows.map((place) => [place.spaceId, place]));
});

/**
 * The published places that the caller may know of. Callers with a role on a space know all. Others know those that
 * sites show them: a place with a condition only if they meet it, and only sites that they visit or that everyone can
 * read. Applications that are limited to spaces know only the latter sites.
 */
async function placesFor(ctx: Context, spaceIds: readonly string[]): Promise<PublishedPlace[]> {
  const accesses = await accessLoader.space.loadMany(ctx, spaceIds);
  const { own = [], other = [] } = Object.groupBy(spaceIds, (_, index) =>
    atLeast(accesses[index]?.role, 'read') ? 'own' : 'other',
  );
  const [known, shown] = await Promise.all([
    own.length === 0 ? [] : readPlaces(ctx, own).then((places) => [...places.values()]),
    other.length === 0 ? [] : executeRows<PublishedPlace>(ctx, placesOf(other, isPlaceShownSql(ctx.actor))),
  ]);
  const places = [...known, ...shown];
  return onlySpacesOf(ctx.actor) ? places.filter(({ visibility }) => isOpenToAll(visibility)) : places;
}

/**
 * The URLs of spaces on published sites, batched, for callers who can read the space: for each, on the site with the
 * widest audience, and of several the oldest.
 */
export const publishedUrlsOfSpaces = batchLoader<PublishedUrls>('space:published', async (ctx, spaceIds) => {
  const urls = new Map<string, PublishedUrls>();
  for (const place of await placesFor(ctx, spaceIds)) {
    const { spaceId, siteId, visibility, sectionPath, path } = place;
    const address = addressOf(ctx, siteId, place);
    siteAddress.prime(ctx, siteId, address);
    const segments = [sectionPath, path].filter((segment) => segment !== null);
    const published = urlAt(address, segments);
    if (published !== undefined) urls.set(spaceId, { published, isPublic: visibility === 'public', visibility });
  }
  return urls;
});
