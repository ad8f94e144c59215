import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { idOf, query } from '../../platform/operation.ts';
import { isShown, levelOn, needs, organizationFor, reaches } from '../access/index.ts';
import { type Found, findPages, type SearchedSpace } from './find-pages.ts';
import { loadPages, type PlacedHit, type SearchedPage } from './load-results.ts';
import { rankedList } from './ranked-list.ts';
import { searchText } from './search-text.ts';

/** A space with pages that were found, as it is shown. */
export interface SearchedSpaceResult {
  id: string;
  title: string;
  /** Of its best page. */
  score: number;
  /** Best first. */
  pages: SearchedPage[];
}

/** So many pages of one space are shown; a search of the space shows more. */
const MAX_PAGES = 10;

/** The spaces of an organization whose pages say something, those with the best page first. */
export function searchedSpaces(ctx: Context, organizationId: string, text: string) {
  let found: Promise<Found> | undefined;
  const find = () => {
    found ??= viewableSpaces(ctx, organizationId).then((spaces) => findPages(ctx.db, { organizationId, spaces }, text));
    return found;
  };
  return rankedList<ReturnType<typeof bySpace>[number], SearchedSpaceResult>(ctx, {
    binding: `organization.search:${JSON.stringify([organizationId, text])}`,
    read: async () => bySpace((await find()).hits),
    load: async (spaces) => loadSpaces(ctx, spaces, (await find()).terms),
  });
}

export const searchOrganizationContent = query({
  name: 'searchOrganizationContent',
  description:
    'Searches the primary content of all spaces of an organization that you may see, as the search of a space does. Spaces with the best page first, each with up to ten pages.',
  input: z.object({ organizationId: idOf('org'), query: searchText }),
  authorize: (ctx, ids) => organizationFor(ctx, ids.organizationId ?? '', needs.searchOrganizationContent.organization),
  async run(ctx, { organizationId, query: text }) {
    await organizationFor(ctx, organizationId, needs.searchOrganizationContent.organization);
    return searchedSpaces(ctx, organizationId, text);
  },
});

async function viewableSpaces({ db, actor }: Context, organizationId: string): Promise<SearchedSpace[]> {
  const { rows } = await sql<SearchedSpace>`
    select v.id, v.language, v."findsAll"
    from (
      select s.id, s.language, ${reaches(levelOn.space(actor, 's'), 'read')} as "findsAll", ${isShown(actor, 's')} as "isShown"
      from space s where s.organization_id = ${organizationId} and s.deleted_at is null offset 0) v
    where v."findsAll" or v."isShown"`.execute(db);
  return rows;
}

/** The spaces of hits, in the order of their best one; equals by id, as hits are. */
const bySpace = (hits: Found['hits']) =>
  [...Map.groupBy(placed(hits), ({ spaceId }) => spaceId)].map(([id, own]) => ({
    id,
    score: own[0]?.score ?? 0,
    hits: own.slice(0, MAX_PAGES),
  }));

const placed = (hits: Found['hits']): PlacedHit[] => hits.map((hit, index) => ({ ...hit, rank: index + 1 }));

async function loadSpaces(
  { db }: Context,
  found: readonly { id: string; score: number; hits: PlacedHit[] }[],
  terms: Found['terms'],
): Promise<SearchedSpaceResult[]> {
  const { rows } = await sql<{ id: string; title: string }>`
    select id, title from space where id = any(${found.map(({ id }) => id)}::text[])`.execute(db);
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  const pages = await loadPages(
    db,
    found.flatMap(({ hits }) => hits),
    terms,
  );
  const pagesOf = Map.groupBy(pages, ({ spaceId }) => spaceId);
  return found.flatMap(({ id, score }) => {
    const title = titles.get(id);
    return title === undefined ? [] : [{ id, title, score, pages: pagesOf.get(id) ?? [] }];
  });
}
