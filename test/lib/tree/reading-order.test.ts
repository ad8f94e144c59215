import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathInTree } from '../../../src/lib/tree/paths.ts';
import { type PlacedRow, readingOrderOf } from '../../../src/lib/tree/reading-order.ts';

const page = (pageId: string, parentId: string | null, position: number, more: Partial<PlacedRow> = {}): PlacedRow => ({
  pageId,
  parentId,
  position,
  kind: 'document',
  hidden: false,
  ...more,
});

test('pages come before their descendants, without hidden pages and other kinds', () => {
  const { pageIds, places } = readingOrderOf([
    page('z', null, 3),
    page('group', null, 1, { kind: 'group' }),
    page('hidden', null, 2, { hidden: true }),
    page('below hidden', 'hidden', 0),
    page('a', null, 0),
    page('a2', 'a', 1),
    page('a1', 'a', 0),
    page('link', 'a', 2, { kind: 'link' }),
    page('computed', 'a', 3, { kind: 'computed' }),
    page('g1', 'group', 0),
  ]);
  expect(pageIds).toEqual(['a', 'a1', 'a2', 'g1', 'z']);
  expect([...places]).toEqual(pageIds.map((pageId, place) => [pageId, place]));
});

/** Pages whose parents come before them. */
const trees = fc
  .array(
    fc.record({
      parent: fc.nat(),
      hidden: fc.boolean(),
      kind: fc.constantFrom('document', 'group', 'link', 'computed' as const),
    }),
    { maxLength: 30 },
  )
  .map((given) =>
    given.map(({ parent, hidden, kind }, index) => {
      const above = parent % (index + 1);
      return page(`p${index}`, above === index ? null : `p${above}`, index, { hidden, kind });
    }),
  );

test('every visible document occurs once, after its ancestors and previous siblings', () => {
  fc.assert(
    fc.property(trees, fc.infiniteStream(fc.nat()), (pages, shuffle) => {
      const shuffled = pages
        .map((each) => ({ each, key: shuffle.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ each }) => each);
      const { pageIds, places } = readingOrderOf(shuffled);
      const byId = new Map(pages.map((each) => [each.pageId, each]));
      const isRead = ({ pageId, kind }: PlacedRow) =>
        kind === 'document' && pathInTree(byId, pageId).every(({ hidden }) => !hidden);
      expect(pageIds.toSorted()).toEqual(
        pages
          .filter(isRead)
          .map(({ pageId }) => pageId)
          .toSorted(),
      );
      // The way to a page as the places of its steps: reading order is their lexical order, a prefix first.
      const stepsOf = (pageId: string) =>
        pathInTree(byId, pageId).map(({ position }) => String(position).padStart(3, '0'));
      const texts = pageIds.map((pageId) => stepsOf(pageId).join('/'));
      expect(texts).toEqual(texts.toSorted());
      expect(pageIds.every((pageId, place) => places.get(pageId) === place)).toBe(true);
    }),
  );
});

test('ancestors lead from the top to the page, and are empty for absent pages', () => {
  const pages = new Map([page('a', null, 0), page('b', 'a', 0), page('c', 'b', 0)].map((each) => [each.pageId, each]));
  expect(pathInTree(pages, 'c').map(({ pageId }) => pageId)).toEqual(['a', 'b', 'c']);
  expect(pathInTree(pages, 'd')).toEqual([]);
});
