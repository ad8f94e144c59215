import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assembleTree, type Branch, byLevel } from '../../../src/lib/tree/assemble.ts';
import { build, scripts } from './scripts.ts';
import { loadTreeByLevel, projectTree } from './whole-tree.ts';

const row = (pageId: string, parentId: string | null, position: number) => ({ pageId, parentId, position });

const shape = (branches: Branch<{ pageId: string }>[]): unknown[] =>
  branches.map(({ row, pages }) => [row.pageId, ...shape(pages)]);

test('nests rows, siblings by position', () => {
  const rows = [row('b', null, 1), row('a2', 'a', 1), row('a', null, 0), row('a1', 'a', 0), row('b1', 'b', 0)];
  expect(shape(assembleTree(rows))).toEqual([
    ['a', ['a1'], ['a2']],
    ['b', ['b1']],
  ]);
});

test('leaves out descendants of missing rows, and closes gaps', () => {
  const rows = [row('a1', 'a', 0), row('a11', 'a1', 0), row('c', null, 7), row('b', null, 2)];
  expect(shape(assembleTree(rows))).toEqual([['b'], ['c']]);
});

test('lists all branches with parents first', () => {
  const rows = [row('a11', 'a1', 0), row('b1', 'b', 0), row('a1', 'a', 0), row('b', null, 1), row('a', null, 0)];
  expect(byLevel(assembleTree(rows)).map((branch) => branch.row.pageId)).toEqual(['a', 'b', 'a1', 'b1', 'a11']);
});

test('the order of rows does not matter', async () => {
  await fc.assert(
    fc.asyncProperty(scripts(), async (script) => {
      const { rootHash, store } = await build(script);
      const rows = await projectTree(rootHash, store.source);
      const tree = shape(await loadTreeByLevel(rootHash, store.source));
      expect(shape(assembleTree(rows))).toEqual(tree);
      expect(shape(assembleTree(rows.reverse()))).toEqual(tree);
    }),
  );
});
