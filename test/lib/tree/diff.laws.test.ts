import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../src/lib/canonical.ts';
import { diffTrees, type TreeDifference } from '../../../src/lib/tree/diff.ts';
import { overlayPaths } from '../../../src/lib/tree/paths.ts';
import { projectChanges } from '../../../src/lib/tree/projection.ts';
import type { HeadRow } from '../../../src/lib/tree/rows.ts';
import { lawRuns } from '../../how-thorough.ts';
import type { Model, ModelPage } from './model.ts';
import { type Built, build, scripts } from './scripts.ts';
import { pathLookup, projectTree } from './whole-tree.ts';

/** Two trees in one store: the second made from the first, or of its own and sharing page ids with the first. */
const pairs = fc
  .record({ first: scripts(), second: fc.oneof(scripts(3), scripts()), isDerived: fc.boolean() })
  .map(({ first, second, isDerived }) => async (): Promise<[Built, Built]> => {
    const base = await build(first);
    const other = await build(second, isDerived ? base : undefined);
    for (const [hash, node] of other.store.nodes) base.store.nodes.set(hash, node);
    return [base, other];
  });

const law = (name: string, check: (base: Built, other: Built, difference: TreeDifference) => Promise<void> | void) =>
  test(name, async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async (makePair) => {
        const [base, other] = await makePair();
        await check(base, other, await diffTrees(base.rootHash, other.rootHash, base.store.source));
      }),
      { numRuns: lawRuns(150) },
    );
  });

interface Place {
  page: ModelPage;
  parentId: string | null;
  position: number;
}

function places({ pages }: Model, parentId: string | null = null): Map<string, Place> {
  return new Map(
    pages.flatMap((page, position) => [
      [page.pageId, { page, parentId, position }] as const,
      ...places(page, page.pageId),
    ]),
  );
}

const own = ({ pages, ...page }: ModelPage) => canonicalJson(page);
const ids = (pages: { pageId: string }[]) => pages.map(({ pageId }) => pageId).sort();
const idsOfPairs = (list: { after: { pageId: string } }[]) => ids(list.map(({ after }) => after));

law('a difference names the pages that plain comparison finds', ({ model: before }, { model: after }, difference) => {
  const old = places(before);
  const now = places(after);
  const common = [...now.keys()].filter((pageId) => old.has(pageId));
  const isChanged = (pageId: string) =>
    own(old.get(pageId)?.page as ModelPage) !== own(now.get(pageId)?.page as ModelPage);
  expect(ids(difference.inserted)).toEqual([...now.keys()].filter((pageId) => !old.has(pageId)).sort());
  expect(ids(difference.deleted)).toEqual([...old.keys()].filter((pageId) => !now.has(pageId)).sort());
  expect(idsOfPairs(difference.changed)).toEqual(common.filter(isChanged).sort());
});

law('moved pages are those with another parent, and the fewest that explain the order', (base, other, { moved }) => {
  const old = places(base.model);
  const now = places(other.model);
  const common = [...now].filter(([pageId]) => old.has(pageId));
  const movedIds = new Set(idsOfPairs(moved));
  const stays = common.filter(([pageId, { parentId }]) => old.get(pageId)?.parentId === parentId);
  for (const [pageId, { parentId }] of common)
    if (old.get(pageId)?.parentId !== parentId) expect(movedIds).toContain(pageId);
  for (const siblings of Map.groupBy(stays, ([, { parentId }]) => parentId).values()) {
    const positions = siblings.map(([pageId]) => old.get(pageId)?.position ?? -1);
    const kept = siblings.flatMap(([pageId], index) => (movedIds.has(pageId) ? [] : [positions[index] ?? -1]));
    expect(kept).toEqual([...kept].sort((a, b) => a - b));
    expect(kept.length).toBe(longestRun(positions));
  }
});

law('a difference has both nodes with their positions', ({ model: before, store }, { model: after }, difference) => {
  const check = (
    placed: { pageId: string; hash: string; parentId: string | null; position: number; node: object },
    model: Model,
  ) => {
    expect(placed).toMatchObject({ parentId: places(model).get(placed.pageId)?.parentId });
    expect(placed).toMatchObject({ position: places(model).get(placed.pageId)?.position });
    expect(store.nodes.get(placed.hash)).toEqual(placed.node);
  };
  const { inserted, deleted, changed, moved, ancestors } = difference;
  for (const page of inserted) check(page, after);
  for (const page of deleted) check(page, before);
  for (const pair of [...changed, ...moved, ...ancestors]) {
    check(pair.before, before);
    check(pair.after, after);
  }
});

law('the difference of a tree to itself is empty, and loads nothing', async ({ rootHash, store }) => {
  store.resetCounts();
  const difference = await diffTrees(rootHash, rootHash, store.source);
  expect(Object.values({ ...difference, top: [] }).flat()).toEqual([]);
  expect(store.calls).toBe(0);
});

law('the reverse difference swaps insertions and deletions', async (base, other, difference) => {
  const turned = await diffTrees(other.rootHash, base.rootHash, base.store.source);
  expect(ids(turned.inserted)).toEqual(ids(difference.deleted));
  expect(ids(turned.deleted)).toEqual(ids(difference.inserted));
  expect(idsOfPairs(turned.changed)).toEqual(idsOfPairs(difference.changed));
});

law('against nothing, everything is inserted', async ({ rootHash, model, store }) => {
  const { inserted, ...rest } = await diffTrees(null, rootHash, store.source);
  expect(ids(inserted)).toEqual([...places(model).keys()].sort());
  expect(Object.values({ ...rest, top: [] }).flat()).toEqual([]);
});

law('changes of the projection are exactly the rows that differ', async (base, other, difference) => {
  const { source } = base.store;
  const old = byId(await projectTree(base.rootHash, source));
  const now = byId(await projectTree(other.rootHash, source));
  const { upserts, deletes } = await projectChanges(difference, source);
  const differing = [...now.values()].filter((row) => canonicalJson(row) !== canonicalJson(old.get(row.pageId) ?? {}));
  expect(upserts.length).toBe(differing.length);
  expect(byId(upserts)).toEqual(byId(differing));
  expect(deletes.sort()).toEqual([...old.keys()].filter((pageId) => !now.has(pageId)).sort());
});

law('paths laid over a base are those of the other tree', async (base, other, difference) => {
  const { source } = base.store;
  const old = await projectTree(base.rootHash, source);
  const now = await projectTree(other.rootHash, source);
  const overlaid = overlayPaths(pathLookup(old), await projectChanges(difference, source));
  const all = [...old, ...now].map(({ pageId }) => pageId).concat('unknown');
  expect(await overlaid(all)).toEqual(await pathLookup(now)(all));
});

const byId = (rows: HeadRow[]) => new Map(rows.map((row) => [row.pageId, row]));

/** Length of the longest increasing run, by the plain quadratic rule. */
function longestRun(numbers: number[]): number {
  const lengths: number[] = [];
  numbers.forEach((number, index) => {
    const before = numbers.slice(0, index).flatMap((other, at) => (other < number ? (lengths[at] ?? 0) : []));
    lengths.push(1 + Math.max(0, ...before));
  });
  return Math.max(0, ...lengths);
}
