import { type LoadedPage, readTree } from './rows.ts';
import type { NodeSource } from './source.ts';

/** A page with the pages below it, siblings in their order. */
export interface Branch<Row> {
  row: Row;
  pages: Branch<Row>[];
}

interface Placed {
  pageId: string;
  parentId: string | null;
  position: number;
}

/**
 * Nests the rows of a tree, given in any order, in linear time. A page whose parent is not among the rows is left out with
 * everything below it, so rows can be filtered first.
 */
export function assembleTree<Row extends Placed>(rows: Iterable<Row>): Branch<Row>[] {
  const branches = new Map<string, Branch<Row>>();
  const byPosition: Branch<Row>[][] = [];
  for (const row of rows) {
    const branch: Branch<Row> = { row, pages: [] };
    branches.set(row.pageId, branch);
    const samePosition = byPosition[row.position];
    if (samePosition) samePosition.push(branch);
    else byPosition[row.position] = [branch];
  }
  const top: Branch<Row>[] = [];
  // Going by position puts every page behind its earlier siblings. Positions without a page are holes, which are skipped.
  byPosition.forEach((samePosition) => {
    for (const branch of samePosition) {
      const { parentId } = branch.row;
      const siblings = parentId === null ? top : branches.get(parentId)?.pages;
      siblings?.push(branch);
    }
  });
  return top;
}

/** A whole tree with paths and nodes, for a revision that has no projection; one load for each level. */
export async function loadTree(rootHash: string, source: NodeSource): Promise<Branch<LoadedPage>[]> {
  return assembleTree(await readTree(rootHash, source));
}
