import type { PagePair, PlacedPage, TreeDifference } from './diff.ts';
import { type HeadRow, loadPagesAt, type NodePlace, pathOf, placesOf, rowOf } from './rows.ts';
import type { NodeSource } from './source.ts';

/**
 * Changes that turn the projection of one tree into that of another: exactly the rows that are new, changed or deleted.
 */
export interface ProjectionChanges {
  upserts: HeadRow[];
  deletes: string[];
}

/** The changes of the projection without the rows that only get a new path because an ancestor has one. */
export interface OwnChanges extends ProjectionChanges {
  /** The topmost pages with a new path that have pages below them. The paths of all pages below follow from theirs. */
  newPaths: string[];
}

/**
 * The changes of the projection that result from a difference. Only loads unchanged nodes whose rows change: pages
 * below a page with a new path, and siblings with a new position.
 */
export async function projectChanges(difference: TreeDifference, source: NodeSource): Promise<ProjectionChanges> {
  const { upserts, families, ownHashes, deletes } = ownRows(difference);
  const others = families.flatMap((family) => outliers(family).filter(({ hash }) => !ownHashes.has(hash)));
  return { upserts: [...upserts, ...(await outlierRows(others, source))], deletes };
}

/**
 * The same without the pages that keep their place below a page with a new path, so that renaming a section costs the
 * same regardless of the number of pages in it.
 */
export async function projectOwnChanges(difference: TreeDifference, source: NodeSource): Promise<OwnChanges> {
  const { upserts, families, ownHashes, deletes } = ownRows(difference);
  const shifted = families.flatMap((family) =>
    outliers({ ...family, isPathNew: false }).filter(({ hash }) => !ownHashes.has(hash)),
  );
  const renamed = families.filter(({ isPathNew, after }) => isPathNew && after.length > 0);
  const ids = new Set(renamed.map(({ parentId }) => parentId));
  return {
    upserts: [...upserts, ...(await outlierRows(shifted, source))],
    deletes,
    newPaths: renamed.flatMap(({ parentId, grandparentId }) =>
      parentId === null || ids.has(grandparentId) ? [] : [parentId],
    ),
  };
}

/** The rows of the pages in a difference, and the families whose other rows can differ. */
function ownRows(difference: TreeDifference) {
  const { inserted, deleted, changed, moved, ancestors } = difference;
  const pairs = [...new Map([...changed, ...moved, ...ancestors].map((pair) => [pair.after.pageId, pair])).values()];
  const after = [...inserted, ...pairs.map((pair) => pair.after)];
  const pathBefore = makePaths([...deleted, ...pairs.map(({ before }) => before)]);
  const pathAfter = makePaths(after);

  const isSame = (pair: PagePair) => isSameRow(rowAt(pair.before, pathBefore), rowAt(pair.after, pathAfter));
  const rows = [...inserted, ...pairs.filter((pair) => !isSame(pair)).map((pair) => pair.after)];
  return {
    upserts: rows.map((page) => rowAt(page, pathAfter)),
    deletes: deleted.map(({ pageId }) => pageId),
    families: [topFamily(difference), ...pairs.map((pair) => familyOf(pair, pathBefore, pathAfter))],
    ownHashes: new Set(after.map(({ hash }) => hash)),
  };
}

/** The children of one parent in both trees. */
interface Family {
  parentId: string | null;
  /** The parent of the parent. */
  grandparentId: string | null;
  parentPath: string;
  isPathNew: boolean;
  before: string[];
  after: string[];
}

/** A page with the same node and parent in both trees, whose row may still differ. */
interface Outlier extends NodePlace {
  isShifted: boolean;
  isPathNew: boolean;
}

type Paths = (pageId: string | null) => string;

/** Paths of the pages whose ancestors are all among the given pages as well; '' for the top level. */
function makePaths(pages: readonly PlacedPage[]): Paths {
  const byId = new Map(pages.map((page) => [page.pageId, page]));
  const paths = new Map<string, string>();
  const path: Paths = (pageId) => {
    const page = pageId === null ? undefined : byId.get(pageId);
    if (page === undefined) return '';
    const pagePath = paths.get(page.pageId) ?? pathOf(page.node, path(page.parentId)) ?? '';
    paths.set(page.pageId, pagePath);
    return pagePath;
  };
  return path;
}

const rowAt = (page: PlacedPage, paths: Paths): HeadRow =>
  rowOf(page.node, { ...page, parentPath: paths(page.parentId) });

/** A page can be moved among its siblings and still have the same position. */
const isSameRow = (a: HeadRow, b: HeadRow): boolean =>
  a.nodeHash === b.nodeHash && a.parentId === b.parentId && a.position === b.position && a.path === b.path;

const topFamily = ({ top }: TreeDifference): Family => ({
  parentId: null,
  grandparentId: null,
  parentPath: '',
  isPathNew: false,
  ...top,
});

function familyOf({ before, after }: PagePair, pathBefore: Paths, pathAfter: Paths): Family {
  const parentPath = pathAfter(after.pageId);
  const isPathNew = parentPath !== pathBefore(before.pageId);
  return {
    parentId: after.pageId,
    grandparentId: after.parentId,
    parentPath,
    isPathNew,
    before: before.node.children,
    after: after.node.children,
  };
}

function outliers({ parentId, parentPath, isPathNew, before, after }: Family): Outlier[] {
  const oldPositions = new Map(before.map((hash, position) => [hash, position]));
  return placesOf(after, parentId, parentPath)
    .map((place) => ({ ...place, isPathNew, isShifted: oldPositions.get(place.hash) !== place.position }))
    .filter((place) => place.isPathNew || place.isShifted);
}

async function outlierRows(first: readonly Outlier[], source: NodeSource): Promise<HeadRow[]> {
  const rows: HeadRow[] = [];
  for (let level = first; level.length > 0; ) {
    const pages = await loadPagesAt(level, source);
    const below: Outlier[] = [];
    pages.forEach(({ node, ...row }, index) => {
      const { isShifted, isPathNew } = level[index] ?? { isShifted: false, isPathNew: false };
      // A link has no path, so a new path of its parent does not change its row.
      if (isShifted || row.path !== null) rows.push(row);
      if (!isPathNew) return;
      const places = placesOf(node.children, row.pageId, row.path ?? '');
      below.push(...places.map((place) => ({ ...place, isPathNew, isShifted: false })));
    });
    level = below;
  }
  return rows;
}
