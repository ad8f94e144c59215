import { diffTrees, type PlacedPage, type TreeDifference } from '../tree/diff.ts';
import type { RootNode, StoredNode } from '../tree/node.ts';
import { fetchNodes, type NodeSource } from '../tree/source.ts';
import { mapThreeWay, type Side, type ThreeWay } from './three-way.ts';

/** A page in each version. Undefined if a version does not have it. */
export type PageInVersions = ThreeWay<PlacedPage | undefined>;

/** The differing parts of three trees: all pages that differ from the base, and their ancestors. */
export interface TreeVersions {
  pages: Map<string, PageInVersions>;
  roots: ThreeWay<RootNode & StoredNode>;
  /** The page of a node. Undefined for nodes of subtrees that are the same in all versions. */
  pageIdOf(hash: string): string | undefined;
  isStored(hash: string): boolean;
}

/** Reads three trees that all differ. The cost depends on the size of the differences from the base. */
export async function readVersions(roots: ThreeWay<string>, source: NodeSource): Promise<TreeVersions> {
  const [byUs, byThem] = [
    await diffTrees(roots.base, roots.ours, source),
    await diffTrees(roots.base, roots.theirs, source),
  ];
  const ours = versionsIn(byUs);
  const theirs = versionsIn(byThem);
  const pages = new Map<string, PageInVersions>();
  for (const pageId of new Set([...theirs.keys(), ...ours.keys()])) {
    const [us, them] = [ours.get(pageId), theirs.get(pageId)];
    const base = (us ?? them)?.before;
    pages.set(pageId, { base, ours: us ? us.after : base, theirs: them ? them.after : base });
  }
  const ids = new Map<string, string>();
  for (const { base, ours: us, theirs: them } of pages.values()) {
    for (const page of [base, us, them]) if (page) ids.set(page.hash, page.pageId);
  }
  const nodes = await fetchNodes(source, [roots.base, roots.ours, roots.theirs]);
  return {
    pages,
    roots: mapThreeWay(roots, (hash) => rootIn(nodes, hash)),
    pageIdOf: (hash) => ids.get(hash),
    isStored: (hash) => ids.has(hash) || nodes.has(hash),
  };
}

/** The first existing version of a page, with the primary content first. */
export const anyVersion = ({ theirs, ours, base }: PageInVersions): PlacedPage | undefined => theirs ?? ours ?? base;

/** The level of a page in one version: 1 at the top, 0 if the version does not have it. */
export function levelIn(pages: ReadonlyMap<string, PageInVersions>, side: Side, pageId: string): number {
  let level = 0;
  for (let page = pages.get(pageId)?.[side]; page; page = pages.get(page.parentId ?? '')?.[side]) level++;
  return level;
}

interface Change {
  before: PlacedPage | undefined;
  after: PlacedPage | undefined;
}

function versionsIn({ inserted, deleted, changed, moved, ancestors }: TreeDifference): Map<string, Change> {
  const changes = new Map<string, Change>();
  for (const page of deleted) changes.set(page.pageId, { before: page, after: undefined });
  for (const page of inserted) changes.set(page.pageId, { before: undefined, after: page });
  for (const { before, after } of [...changed, ...moved, ...ancestors]) changes.set(after.pageId, { before, after });
  return changes;
}

function rootIn(nodes: ReadonlyMap<string, StoredNode>, hash: string): RootNode & StoredNode {
  const node = nodes.get(hash);
  if (node?.kind !== 'root') throw new Error(`${hash} is not the root of a tree.`);
  return node;
}
