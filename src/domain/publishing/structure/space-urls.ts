import { type RawBuilder, sql } from 'kysely';
import { onlySpacesOf, visitsOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { statement } from '../../../platform/database/statement.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';
import { executeRows } from '../../people/access/index.ts';
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
  select distinct on (l.space_id) l.space_id, l.site_id, ${ADDRESS_COLUMNS},
    case when not sec.is_default then sec.path end as section_path, case when not l.is_default then l.path end as path
  from site_space l join site si on si.id = l.site_id ${ADDRESS_JOINS} left join site_item sec on sec.id = l.section_id
  where l.space_id = any(${spaceIds}::text[]) and si.is_published and ${isKnown}
  order by l.space_id, position(si.visibility in ${WIDEST_FIRST}), si.created_at, l.id`;

const selectPlaces = statement((_db, { spaceIds }: { spaceIds: string[] }) => placesOf(spaceIds, sql`true`));

const readPlaces = sharedRead<PublishedPlace>(async (db, spaceIds) => {
  const rows = await selectPlaces({ db }, { spaceIds });
  return new Map(rows.map((place) => [place.spaceId, place]));
});

/**
 * The published places that the caller may know of. Visitors see only sites that they visit, and applications that are
 * limited to spaces see only sites that everyone can read.
 */
async function placesFor(ctx: Context, spaceIds: readonly string[]): Promise<PublishedPlace[]> {
  if (ctx.actor.kind !== 'visitor') {
    const places = [...(await readPlaces(ctx, spaceIds)).values()];
    return onlySpacesOf(ctx.actor) ? places.filter(({ visibility }) => isOpenToAll(visibility)) : places;
  }
  const visited = visitsOf(ctx.actor).map(({ siteId }) => siteId);
  return executeRows<PublishedPlace>(ctx, placesOf(spaceIds, sql`l.site_id = any(${visited}::text[])`));
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
