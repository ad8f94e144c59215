import { expect, test } from 'vitest';
import { alignKeys } from '../../../src/lib/document/align-keys.ts';
import { IN_PAGES } from '../../../src/lib/document/markdown/forms.ts';
import { patchMarkdown } from '../../../src/lib/document/markdown/patch/patch-markdown.ts';
import { type MergedContent, mergeVersions } from '../../../src/lib/merge/merge-versions.ts';
import { openTree, type TreeEditor } from '../../../src/lib/tree/edit.ts';
import { parse } from '../document/markdown-round-trip.ts';
import { author } from '../tree/scripts.ts';
import { makeContentStore, onlyPages } from './merging.ts';

const BASE = '<!-- one -->\n\nA ***first*** line\nand a second,\nand a last.\n\n[a](https://a.b "two")\n';

/** Merges two texts of a page that has been `former`. */
async function merge(ours: string, theirs: string, former = BASE): Promise<MergedContent> {
  const store = makeContentStore();
  const before = parse(former, IN_PAGES);
  const written = async (from: string | null, edit: (tree: TreeEditor) => Promise<unknown>): Promise<string> => {
    const tree = await openTree(from, store.nodes.source);
    await edit(tree);
    const { rootHash, newNodes } = tree.commit(author);
    store.nodes.add(newNodes);
    return rootHash;
  };
  const page = { kind: 'document' as const, pageId: 'page_1', fields: { title: 'Page' }, parentId: null };
  const hashes = { documentHash: store.keepDocument(before), sourceHash: store.keepText(former, before) };
  const base = await written(null, (tree) => tree.insertPage({ ...page, ...hashes }));
  const sideOf = (text: string) => {
    const document = alignKeys(before, parse(text, IN_PAGES));
    return written(base, (tree) =>
      tree.updatePage('page_1', {}, store.keepDocument(document), store.keepText(text, document)),
    );
  };
  const versions = {
    base: onlyPages(base),
    ours: onlyPages(await sideOf(ours)),
    theirs: onlyPages(await sideOf(theirs)),
  };
  const outcome = await mergeVersions(versions, store.sources);
  if (!('merged' in outcome)) throw new Error('There are conflicts.');
  return outcome.merged;
}

test('a merged body has the text that both sides wrote, with comments and titles of links', async () => {
  const { documents, sources } = await merge(
    BASE.replace('one', '1').replace('first', '1st'),
    BASE.replace('two', '2').replace('last', 'end'),
  );
  const text = BASE.replace('one', '1').replace('two', '2').replace('first', '1st').replace('last', 'end');
  expect(sources.map(({ body }) => body)).toEqual([text]);
  const [document] = documents;
  expect(document && patchMarkdown(text, document.body, IN_PAGES)).toBe(text);
});

test('footnotes of both sides with the same label keep both notes', async () => {
  const line = 'A ***first*** line\nand a second,\nand a last.';
  const ours = BASE.replace('<!-- one -->', 'New[^1].\n\n[^1]: Note of ours.').replace('first', '1st');
  const theirs = `${BASE.replace(line, line.replace('last', 'end'))}\nMore[^1].\n\n[^1]: Note of theirs.\n`;
  const { documents } = await merge(ours, theirs);
  const text = JSON.stringify(documents.map(({ body }) => body));
  for (const part of ['1st', 'end', 'Note of ours.', 'Note of theirs.']) expect(text).toContain(part);
});

test.each([
  ['quotations', '> ', '> '],
  ['items of lists', '* ', '  '],
])('labels that both sides define in %s keep both URLs', async (_where, first, more) => {
  const former = 'P1 one\ntwo\nthree\nfour\nfive\n\nmid a\n\nbetween\n\nmid b\n\nlast\n';
  const defining = (text: string, url: string) =>
    former.replace(text, `${first}${text} [x]\n${more.trimEnd()}\n${more}[x]: ${url}`);
  const { documents } = await merge(
    defining('mid a', 'http://ours.example').replace('one', 'one!'),
    defining('mid b', 'http://theirs.example').replace('five', 'five?'),
    former,
  );
  const text = JSON.stringify(documents.map(({ body }) => body));
  for (const part of ['ours.example', 'theirs.example', 'one!', 'five?']) expect(text).toContain(part);
});

test('a block that both sides split to insert something is there once', async () => {
  const steps = '1. Stop\n2. Edit\n3. Start\n';
  const splitBy = (inserted: string) => steps.replace('Edit\n', `Edit\n\n${inserted}\n\n`);
  const { documents } = await merge(splitBy('> A quote.'), splitBy('## A heading'), steps);
  const text = JSON.stringify(documents.map(({ body }) => body));
  for (const part of ['A quote.', 'A heading', 'Stop', 'Edit', 'Start']) expect(text.split(part)).toHaveLength(2);
});

test('texts that only differ in what no document has are merged as well', async () => {
  const { documents, sources } = await merge(BASE.replace('one', '1'), BASE.replace('two', '2'));
  expect(documents).toEqual([]);
  expect(sources.map(({ body }) => body)).toEqual([BASE.replace('one', '1').replace('two', '2')]);
});

test('a text that only one side changed stays the text of the page', async () => {
  const { sources } = await merge(BASE.replace('first', '1st'), BASE);
  expect(sources).toEqual([]);
});
