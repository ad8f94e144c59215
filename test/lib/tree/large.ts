import { type NewNode, nodeHash, type TreeNode } from '../../../src/lib/tree/node.ts';
import { makeTreeStore, type TreeStore } from './store.ts';

const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z', updatedBy: null };

/** Pages under the root, under 9 of them, and under 10 below the first of these: 20 parents of 500, 10,000 pages. */
const hasChildren = (path: readonly number[]) => {
  const [first = 0, second = 0] = path;
  if (path.length < 2) return first < 9;
  return path.length === 2 && first === 0 && second < 10;
};

/** The page of 10,000 that stands at these positions, from the top: `p_0_3` is the fourth child of the first page. */
export const idAt = (...path: number[]) => ['p', ...path].join('_');

export function makeLargeTree(): { store: TreeStore; rootHash: string } {
  const store = makeTreeStore();
  const add = (node: TreeNode): string => {
    const stored: NewNode = { ...node, ...times, hash: nodeHash(node) };
    store.add([stored]);
    return stored.hash;
  };
  const childrenOf = (path: readonly number[]): string[] => {
    if (!hasChildren(path)) return [];
    return Array.from({ length: 500 }, (_, position) => addPage([...path, position]));
  };
  const addPage = (path: readonly number[]): string => {
    const pageId = idAt(...path);
    const fields = { title: `Page ${path.at(-1)}`, slug: `page-${path.at(-1)}` };
    return add({ kind: 'document', pageId, fields, children: childrenOf(path) });
  };
  return { store, rootHash: add({ kind: 'root', children: childrenOf([]) }) };
}
