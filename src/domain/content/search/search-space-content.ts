import { z } from 'zod';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { readCaughtUp } from '../../../platform/reads/read-caught-up.ts';
import { type Access, permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { findSeenPages } from './find-seen-pages.ts';
import { loadFoundPages, type SearchedPage } from './load-results.ts';
import { rankedList } from './ranked-list.ts';
import { searchText } from './search-text.ts';

const need = permissions.searchSpaceContent.space;

/** Searches a space that the caller is known to see. */
export function searchedPages(
  ctx: Context,
  space: Pick<Row<'space'>, 'id' | 'organizationId' | 'language' | 'deletedAt'>,
  { role }: Pick<Access, 'role'>,
  text: string,
) {
  const { id, language, organizationId } = space;
  const spaces = space.deletedAt === null ? [{ id, language, findsAll: atLeast(role, 'read') }] : [];
  let pending: ReturnType<typeof findSeenPages> | undefined;
  const find = () => {
    pending ??= findSeenPages(ctx, { organizationId, spaces }, text);
    return pending;
  };
  const search = `space.search:${JSON.stringify([id, text])}`;
  return rankedList<ReturnType<typeof placed>[number], SearchedPage>(ctx, {
    binding: search,
    read: async () => placed((await find()).hits),
    load: async (hits) => {
      const seen = await find();
      return readCaughtUp(ctx, (db) => loadFoundPages(db, hits, seen, search));
    },
  });
}

const placed = (hits: Awaited<ReturnType<typeof findSeenPages>>['hits']) =>
  hits.map((hit, index) => ({ ...hit, id: hit.pageId, rank: index + 1 }));

export const searchSpaceContent = query({
  name: 'searchSpaceContent',
  description:
    'Searches the primary content of a space. Returns up to 200 pages that contain all words of the query, with their matching sections. Exact titles come first, then matches in titles, identifiers and phrases as a whole, headings and descriptions. Words may also be in the title of an ancestor. Other forms of a word, missing accents, single typos and words that begin with the last word of the query match too.',
  openToAnonymous: true,
  input: z.object({ spaceId: idOf('space'), query: searchText }),
  authorize: (ctx, ids) => spaceFor(ctx, ids.spaceId ?? '', need),
  async run(ctx, { spaceId, query: text }) {
    const space = await spaceFor(ctx, spaceId, need);
    return searchedPages(ctx, space, space, text);
  },
});
