import { expect, test } from 'vitest';
import { paragraph } from '../../../src/lib/document/build.ts';
import { dereference, type LoadContents, type ReusableRef } from '../../../src/lib/document/dereference.ts';
import type { JSONDocument } from '../../../src/lib/document/document.ts';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { walk } from '../../../src/lib/document/walk.ts';

const include = (id: string) => `{% include "reusable:${id}" %}`;
let key = 0;
const read = (markdown: string) => parseMarkdown(markdown, { nextKey: () => `k${key++}` }).document;

/** Contents by id, and how often each level was asked for. */
function contents(texts: Record<string, string>) {
  const loads: string[][] = [];
  const documents = new Map(Object.entries(texts).map(([id, text]) => [id, read(text)]));
  const load: LoadContents = async (refs: ReusableRef[]) => {
    loads.push(refs.map(({ reusableContent }) => reusableContent));
    return refs.map(({ reusableContent }) => documents.get(reusableContent));
  };
  return { load, loads };
}

const shown = async (markdown: string, texts: Record<string, string>) =>
  printMarkdown(await dereference(read(markdown), contents(texts).load));

test('replaces references with contents, to any depth, level by level', async () => {
  const { load, loads } = contents({ a: `A.\n\n${include('b')}`, b: 'B.' });
  const document = await dereference(read(`One.\n\n${include('a')}\n\n${include('b')}\n\nTwo.`), load);
  expect(printMarkdown(document)).toBe('One.\n\nA.\n\nB.\n\nB.\n\nTwo.\n');
  expect(loads).toEqual([['a', 'b']]);
});

test('gives every node a key of its own', async () => {
  const { load } = contents({ a: '# Title\n\n* one\n* two' });
  const keys: string[] = [];
  walk(await dereference(read(`${include('a')}\n\n${include('a')}`), load), (node) => node.key && keys.push(node.key));
  expect(keys.length).toBeGreaterThan(8);
  expect(new Set(keys).size).toBe(keys.length);
});

test('keeps references to absent contents, and documents without references', async () => {
  expect(await shown(include('gone'), {})).toBe(`${include('gone')}\n`);
  const document = read('Text.');
  expect(await dereference(document, contents({}).load)).toBe(document);
});

test('cuts circles where they close', async () => {
  expect(await shown(include('a'), { a: `A.\n\n${include('a')}` })).toBe(`A.\n\n${include('a')}\n`);
  const circle = { a: `A.\n\n${include('b')}`, b: `B.\n\n${include('a')}` };
  expect(await shown(include('a'), circle)).toBe(`A.\n\nB.\n\n${include('a')}\n`);
});

test('bounds the depth', async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`c${i}`, `L${i}.\n\n${include(`c${i + 1}`)}`]),
  );
  const text = await shown(include('c0'), chain);
  expect(text).toContain('L7.');
  expect(text).not.toContain('L8.');
  expect(text).toContain(include('c8'));
});

test('bounds what doubles at every level', async () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [
      `d${i}`,
      Array(20)
        .fill(include(`d${i + 1}`))
        .join('\n\n'),
    ]),
  );
  const { load, loads } = contents(doubling);
  const document: JSONDocument = await dereference(read(include('d0')), load);
  let size = 0;
  walk(document, () => {
    size++;
  });
  expect(size).toBeLessThan(30_000);
  expect(loads.flat().length).toBeLessThanOrEqual(8);
});

test('bounds how many contents are loaded', async () => {
  const { load, loads } = contents({});
  const many = Array.from({ length: 500 }, (_, i) => include(`m${i}`)).join('\n\n');
  await dereference(read(many), load);
  expect(loads.flat()).toHaveLength(200);
});

/** Contents of 900,000 characters, and how many were asked for at once. */
function longContents() {
  const loads: number[] = [];
  const load: LoadContents = async (refs) => {
    loads.push(refs.length);
    return refs.map(() => documentOf([paragraph('x'.repeat(900_000))]));
  };
  return { load, loads };
}

test('bounds the characters that are inserted, also by a content that is shown repeatedly', async () => {
  for (const ids of [
    ['a', 'a', 'a'],
    ['a', 'b', 'c'],
  ]) {
    const document = await dereference(read(ids.map(include).join('\n\n')), longContents().load);
    expect(document.nodes.map(({ type }) => type)).toEqual(['paragraph', 'paragraph', 'reusable-content']);
  }
});

test('loads at most 20 contents at once, and no more than can be shown', async () => {
  const many = (count: number) => read(Array.from({ length: count }, (_, i) => include(`m${i}`)).join('\n\n'));
  const { load, loads } = contents({});
  await dereference(many(50), load);
  expect(loads.map((ids) => ids.length)).toEqual([20, 20, 10]);
  const long = longContents();
  await dereference(many(50), long.load);
  expect(long.loads).toEqual([20]);
});

test('shows a content inside of an expandable', async () => {
  const open = '<details>\n\n<summary>More</summary>\n\n';
  const text = await shown(`${open}${include('a')}\n\n</details>`, { a: 'Hidden.' });
  expect(text).toBe(`${open}Hidden.\n\n</details>\n`);
});

test('gives every block an id of its own, which links within the content follow', async () => {
  const { load } = contents({ a: '# Install\n\n[up](#install)' });
  const document = await dereference(read(`${include('a')}\n\n# Install\n\n[up](#install)\n\n${include('a')}`), load);
  const ids = document.nodes.flatMap(({ meta }) => meta?.id ?? []);
  expect(ids).toEqual(['install-1', 'install', 'install-2']);
  expect(printMarkdown(document).match(/#install[-\d]*/g)).toEqual(['#install-1', '#install', '#install-2']);
});
