import { assembleTree, type Branch } from '../../../src/lib/tree/assemble.ts';
import { type PathLookup, pathInTree } from '../../../src/lib/tree/paths.ts';
import { type HeadRow, type LoadedPage, loadPagesAt, placesOf } from '../../../src/lib/tree/rows.ts';
import { fetchNodes, type NodeSource, nodeIn } from '../../../src/lib/tree/source.ts';

/**
 * All pages of a tree with their nodes, parents before children, siblings in order. The service reads trees in one
 * statement.
 */
async function readTree(rootHash: string, source: NodeSource): Promise<LoadedPage[]> {
  const root = nodeIn(await fetchNodes(source, [rootHash]), rootHash);
  const pages: LoadedPage[] = [];
  let level = placesOf(root.children, null, '');
  while (level.length > 0) {
    const loaded = await loadPagesAt(level, source);
    for (const page of loaded) pages.push(page);
    level = loaded.flatMap(({ node, pageId, path }) => placesOf(node.children, pageId, path ?? ''));
  }
  return pages;
}

/** The complete projection of a tree, parents before children: the reference for changes of projections. */
export async function projectTree(rootHash: string, source: NodeSource): Promise<HeadRow[]> {
  const pages = await readTree(rootHash, source);
  return pages.map(({ node: _, ...row }) => row);
}

/** A complete tree with paths and nodes. */
export async function loadTreeByLevel(rootHash: string, source: NodeSource): Promise<Branch<LoadedPage>[]> {
  return assembleTree(await readTree(rootHash, source));
}

/** A lookup in a tree whose rows are all in memory: the reference for lookups in changed trees. */
export function pathLookup(rows: Iterable<HeadRow>): PathLookup {
  const byId = new Map([...rows].map((row) => [row.pageId, row]));
  return async (pageIds) => {
    const paths = pageIds.map((pageId) => {
      const steps = pathInTree(byId, pageId);
      return [
        pageId,
        steps.map((row) => ({ pageId: row.pageId, nodeHash: row.nodeHash, position: row.position })),
      ] as const;
    });
    return new Map(paths.filter(([, steps]) => steps.length > 0));
  };
}
