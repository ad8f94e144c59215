import { sql } from 'kysely';
import { visitsOf } from '../../../platform/access/actor.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { rowsOf } from '../../people/access/index.ts';
import type { FindPublishedUrls } from '../../places/spaces/index.ts';
import { publishedUrl } from '../sites/index.ts';

interface PublishedPlace {
  spaceId: string;
  siteId: string;
  isPublic: boolean;
  /** The segments of the section and of the site space. Defaults have none. */
  path: string[];
}

const WIDEST_FIRST = sql.lit(['public', 'unlisted', 'share-link', 'visitor-auth'].join(' '));

/**
 * Where spaces are published: for each, the site with the widest audience, and of several the oldest. Visitors learn of no
 * other sites than those they visit.
 */
const publishedPlace = batchLoader<PublishedPlace>('space:published', async (ctx, spaceIds) => {
  const visited = visitsOf(ctx.actor).map(({ siteId }) => siteId);
  const isKnown = ctx.actor.kind === 'visitor' ? sql`l.site_id = any(${visited}::text[])` : sql`true`;
  const rows = await rowsOf<PublishedPlace>(
    ctx,
    sql`
      select distinct on (l.space_id) l.space_id, l.site_id, si.visibility = 'public' as is_public,
        array_remove(array[case when not sec.is_default then sec.path end, case when not l.is_default then l.path end], null) as path
      from site_space l join site si on si.id = l.site_id left join site_item sec on sec.id = l.section_id
      where l.space_id = any(${spaceIds as string[]}::text[]) and si.is_published and ${isKnown}
      order by l.space_id, position(si.visibility in ${WIDEST_FIRST}), si.created_at, l.id`,
  );
  return new Map(rows.map((row) => [row.spaceId, row]));
});

/** The URLs of a space on published sites, for callers who can read the space. */
export const publishedUrlsOfSpace: FindPublishedUrls = async (ctx, spaceId) => {
  const place = await publishedPlace(ctx, spaceId);
  const published = place && (await publishedUrl(ctx, place.siteId, place.path));
  return published === undefined ? undefined : { published, isPublic: place?.isPublic ?? false };
};
