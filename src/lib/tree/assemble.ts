/** A page with its child pages, in order. */
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
 * Nests the rows of a tree, given in any order, in linear time. Pages whose parent is missing are left out with all
 * their descendants, so rows can be filtered first.
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
  // Inserting by position puts every page after its earlier siblings. Positions without a page leave holes, which are
  // removed.
  byPosition.forEach((samePosition) => {
    for (const branch of samePosition) {
      const { parentId } = branch.row;
      const siblings = parentId === null ? top : branches.get(parentId)?.pages;
      siblings?.push(branch);
    }
  });
  return top;
}

/** All branches of a tree level by level, so that every page comes after its parent. */
export function byLevel<Row>(top: readonly Branch<Row>[]): Branch<Row>[] {
  const all: Branch<Row>[] = [];
  for (let level = top; level.length > 0; level = level.flatMap(({ pages }) => pages)) {
    for (const branch of level) all.push(branch);
  }
  return all;
}
