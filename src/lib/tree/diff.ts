import { canonicalJson } from '../canonical.ts';
import { longestIncreasing } from './longest-increasing.ts';
import type { PageContent, StoredNode, StoredPage } from './node.ts';
import { fetchNodes, type NodeSource, nodeIn } from './source.ts';
import { type NodeVisit, type NodeVisits, walkApart } from './walk.ts';

/** A page in one of the two trees. */
export interface PlacedPage {
  pageId: string;
  hash: string;
  parentId: string | null;
  position: number;
  node: StoredPage;
}

export interface PagePair {
  before: PlacedPage;
  after: PlacedPage;
}

export interface PageChange extends PagePair {
  /** Names of the fields that changed, and `document` if the body changed. */
  fields: string[];
}

/**
 * The difference between two trees. Pages are ordered by level. A page that was both moved and changed is in both
 * lists.
 */
export interface TreeDifference {
  inserted: PlacedPage[];
  deleted: PlacedPage[];
  changed: PageChange[];
  /** Pages with a new parent, and the minimum number of pages that explain the new order of siblings. */
  moved: PagePair[];
  /** Pages that only differ in their descendants. */
  ancestors: PagePair[];
  /** Hashes of the pages at the top level. Both are empty if the trees are equal. */
  top: { before: string[]; after: string[] };
}

/**
 * The difference between two trees by page id. Null is an empty tree. Equal subtrees are not loaded, so the cost is
 * proportional to the difference, with one load per level.
 */
export async function diffTrees(
  baseRoot: string | null,
  otherRoot: string | null,
  source: NodeSource,
): Promise<TreeDifference> {
  const { base, other } = await walkApart(baseRoot, otherRoot, source);
  const pairs = pairUp(base, other);
  const moved = movedPairs(pairs);
  await loadVisits(
    moved.flatMap(({ before, after }) => [before, after]),
    source,
  );
  const changedPairs = pairs.filter(({ before, after }) => before.hash !== after.hash).map(placedPair);
  const paired = new Set(pairs.flatMap(({ before, after }) => [before, after]));
  const unpaired = (visits: NodeVisits) => pagesIn(visits).filter((visit) => !paired.has(visit));
  const changes = changedPairs.map((pair) => ({ ...pair, fields: changedFields(pair.before.node, pair.after.node) }));
  return {
    inserted: unpaired(other).map(placed),
    deleted: unpaired(base).map(placed),
    changed: changes.filter(({ fields }) => fields.length > 0),
    moved: moved.map(placedPair),
    ancestors: changes.filter(({ fields }) => fields.length === 0).map(({ before, after }) => ({ before, after })),
    top: { before: topOf(base), after: topOf(other) },
  };
}

interface VisitPair {
  before: NodeVisit;
  after: NodeVisit;
}

/** Pages that are in both trees: equal nodes by hash, all others by page id. In the order of the second tree. */
function pairUp(base: NodeVisits, other: NodeVisits): VisitPair[] {
  const byId = new Map(pagesIn(base).map((visit) => [pageIdOf(visit.node), visit]));
  return pagesIn(other).flatMap((after) => {
    const before = base.get(after.hash) ?? (after.node && byId.get(pageIdOf(after.node)));
    return before ? [{ before, after }] : [];
  });
}

function movedPairs(pairs: readonly VisitPair[]): VisitPair[] {
  const settled = new Set<VisitPair>();
  const stayed = pairs.filter(({ before, after }) => parentIdOf(before) === parentIdOf(after));
  for (const siblings of Map.groupBy(stayed, ({ after }) => parentIdOf(after)).values()) {
    const inPlace = longestIncreasing(siblings.map(({ before }) => before.position));
    for (const pair of siblings) if (inPlace.has(pair.before.position)) settled.add(pair);
  }
  return pairs.filter((pair) => !settled.has(pair));
}

async function loadVisits(visits: readonly NodeVisit[], source: NodeSource): Promise<void> {
  const missing = visits.filter(({ node }) => node === undefined);
  const nodes = await fetchNodes(
    source,
    missing.map(({ hash }) => hash),
  );
  for (const visit of missing) visit.node = nodeIn(nodes, visit.hash);
}

function changedFields(before: PageContent, after: PageContent): string[] {
  const old = comparable(before);
  const now = comparable(after);
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.filter((name) => old.get(name) !== now.get(name));
}

/** The body and the Markdown that it was written as are one field. */
function comparable({ kind, fields, documentHash, sourceHash }: PageContent): Map<string, string> {
  const document = sourceHash === undefined ? documentHash : [documentHash ?? null, sourceHash];
  const entries = Object.entries({ kind, ...fields, document });
  return new Map(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, canonicalJson(value)]])));
}

const pagesIn = (visits: NodeVisits): NodeVisit[] => [...visits.values()].filter(({ parent }) => parent !== null);

const topOf = (visits: NodeVisits): string[] =>
  [...visits.values()].find(({ parent }) => parent === null)?.node?.children ?? [];

const pageIdOf = (node: StoredNode | undefined): string | null => (node && node.kind !== 'root' ? node.pageId : null);

const parentIdOf = ({ parent }: NodeVisit): string | null => pageIdOf(parent?.node);

const placedPair = ({ before, after }: VisitPair): PagePair => ({ before: placed(before), after: placed(after) });

function placed(visit: NodeVisit): PlacedPage {
  const { hash, position, node } = visit;
  if (node === undefined || node.kind === 'root') throw new Error(`${hash} is not the node of a page.`);
  return { pageId: node.pageId, hash, parentId: parentIdOf(visit), position, node };
}
