import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTree } from '../../../src/lib/tree/edit.ts';
import { nodeHash } from '../../../src/lib/tree/node.ts';
import type { PathLookup } from '../../../src/lib/tree/paths.ts';
import { lawRuns } from '../../how-thorough.ts';
import { applyToModel, modelHash, modelPaths, toModel } from './model.ts';
import { applyToEditor, author, type Built, build, editFor, scripts } from './scripts.ts';
import { loadTreeByLevel, pathLookup, projectTree } from './whole-tree.ts';

/** Paths with every hint wrong: what they say of absence holds, and nothing else. */
const misleading = (lookup: PathLookup): PathLookup => {
  return async (pageIds) => {
    const paths = await lookup(pageIds);
    return new Map(
      [...paths].map(([pageId, path]) => [
        pageId,
        path.map((step, at) => ({ ...step, nodeHash: 'none', position: at + 1 })),
      ]),
    );
  };
};

/** Paths that belong to another tree of the same pages: all at the top. */
const flat = (lookup: PathLookup): PathLookup => {
  return async (pageIds) => new Map([...(await lookup(pageIds))].map(([pageId, path]) => [pageId, path.slice(-1)]));
};

const lookups: [string, (base: Built) => Promise<PathLookup | undefined>][] = [
  ['without a lookup', async () => undefined],
  ['with a lookup', async (base) => lookupIn(base)],
  ['with wrong hints', async (base) => misleading(await lookupIn(base))],
  ['with wrong paths', async (base) => flat(await lookupIn(base))],
];

const lookupIn = async ({ rootHash, store }: Built) => pathLookup(await projectTree(rootHash, store.source));

test.each(lookups)('%s, edits and their errors are those of plain nested arrays', async (_, makeLookup) => {
  await fc.assert(
    fc.asyncProperty(scripts(), scripts(20), async (first, second) => {
      const base = await build(first);
      const model = structuredClone(base.model);
      const editor = await openTree(base.rootHash, base.store.source, await makeLookup(base));
      for (const [index, step] of second.entries()) {
        const edit = editFor(model, step, `n${index}`);
        expect(await applyToEditor(editor, edit), JSON.stringify(edit)).toBe(applyToModel(model, edit));
      }
      const { rootHash, newNodes } = editor.commit(author);
      expect(rootHash).toBe(modelHash(model));
      expect(newNodes.filter(({ hash }) => base.store.nodes.has(hash))).toEqual([]);
      base.store.add(newNodes);
      const tree = await loadTreeByLevel(rootHash, base.store.source);
      expect(toModel(tree)).toEqual(model);
      const rows = await projectTree(rootHash, base.store.source);
      expect(new Map(rows.map(({ pageId, path }) => [pageId, path]))).toEqual(new Map(modelPaths(model)));
    }),
    { numRuns: lawRuns(150) },
  );
});

test('every node is stored under its hash, and paths are unique', async () => {
  await fc.assert(
    fc.asyncProperty(scripts(), async (script) => {
      const { store, rootHash } = await build(script);
      for (const [hash, node] of store.nodes) expect(nodeHash(node)).toBe(hash);
      const paths = (await projectTree(rootHash, store.source)).flatMap(({ path }) => path ?? []);
      expect(new Set(paths).size).toBe(paths.length);
    }),
  );
});

test('committing in parts gives the tree that committing at once gives', async () => {
  await fc.assert(
    fc.asyncProperty(scripts(), fc.nat(40), async (script, cut) => {
      const base = await build(script.slice(0, cut));
      const editor = await openTree(base.rootHash, base.store.source);
      const model = structuredClone(base.model);
      for (const [index, step] of script.slice(cut).entries()) {
        const edit = editFor(model, step, `n${index}`);
        await applyToEditor(editor, edit);
        applyToModel(model, edit);
        const { rootHash } = editor.commit(author);
        expect(rootHash).toBe(modelHash(model));
      }
    }),
    { numRuns: lawRuns(25) },
  );
});

test('a tree that is edited back has its previous hash and writes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(scripts(), async (script) => {
      const { rootHash, store } = await build(script);
      const editor = await openTree(rootHash, store.source);
      await editor.insertPage({ kind: 'document', pageId: 'extra', fields: { title: 'Extra' }, parentId: null });
      await editor.deletePage('extra');
      expect(editor.commit(author)).toEqual({ rootHash, newNodes: [] });
    }),
    { numRuns: lawRuns(25) },
  );
});
