import { describe, expect, test } from 'vitest';
import { alignKeys } from '../../../src/lib/document/align-keys.ts';
import { countedKeys, withoutKeys } from '../../../src/lib/document/keys.ts';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { walk } from '../../../src/lib/document/walk.ts';

const parse = (markdown: string, prefix: string) => parseMarkdown(markdown, { nextKey: countedKeys(prefix) }).document;

const align = (before: string, after: string) => {
  const previous = parse(before, 'old');
  const next = parse(after, 'new');
  return { previous, next, aligned: alignKeys(previous, next, countedKeys('more')) };
};

/** Which old block each new one has its key from, by place; "-" for a new one. */
const origins = (before: string, after: string) => {
  const { previous, aligned } = align(before, after);
  return aligned.nodes
    .map(({ key }) => previous.nodes.findIndex((node) => node.key === key))
    .map((place) => (place < 0 ? '-' : place));
};

describe('top-level blocks', () => {
  test.each([
    ['nothing changes', 'One.\n\nTwo.', 'One.\n\nTwo.', [0, 1]],
    ['an edit', 'One.\n\nTwo.\n\nThree.', 'One.\n\nTwo, edited.\n\nThree.', [0, 1, 2]],
    ['an insertion', 'One.\n\nTwo.', 'One.\n\nBetween.\n\nTwo.', [0, '-', 1]],
    ['an insertion in front of an edit', 'The quick brown fox.', 'Something else.\n\nThe quick red fox.', ['-', 0]],
    ['a removal', 'One.\n\nTwo.\n\nThree.', 'One.\n\nThree.', [0, 2]],
    ['another type in the same place', 'One.', '# One.', ['-']],
    ['equal paragraphs', 'Same.\n\nSame.\n\nSame.', 'Same.\n\nSame.\n\nSame.\n\nSame.', [0, 1, 2, '-']],
    ['a move', 'A a.\n\nB b.\n\nC c.\n\nD d.', 'A a.\n\nC c.\n\nD d.\n\nB b.', [0, 2, 3, 1]],
  ])('keep their keys through %s', (_name, before, after, expected) => {
    expect(origins(before, after)).toEqual(expected);
  });
});

test('nested blocks keep theirs too', () => {
  const { previous, aligned } = align('* one\n* two\n* three', '* one\n* two, edited\n* three\n* four');
  const keysOf = (list: (typeof previous.nodes)[number] | undefined) =>
    list && 'nodes' in list ? list.nodes.map(({ key }) => key) : [];
  expect(keysOf(aligned.nodes[0]).slice(0, 3)).toEqual(keysOf(previous.nodes[0]));
});

test('a table keeps the ids of its columns and rows', () => {
  const { previous, aligned } = align('| a | b |\n|---|---|\n| 1 | 2 |', '| a | b |\n|---|---|\n| 1 | 3 |\n| 4 | 5 |');
  const [was, is] = [previous.nodes[0], aligned.nodes[0]];
  if (was?.type !== 'table' || is?.type !== 'table') throw new Error('expected tables');
  expect(is.data.view.columns).toEqual(was.data.view.columns);
  expect(Object.keys(is.data.records)).toContain(Object.keys(was.data.records)[0]);
});

test.each([
  ['One.\n\nTwo.', 'Two.\n\nOne.\n\nTwo.'],
  ['# A\n\n* x\n* y\n\n> q', '# A b\n\n* y\n* x\n\n> q r\n\nz'],
  ['', 'New.'],
  ['Old.', ''],
])('what is said is what was written, and keys are unique: %j over %j', (before, after) => {
  const { next, aligned } = align(before, after);
  expect(withoutKeys(aligned)).toEqual(withoutKeys(next));
  const keys: (string | undefined)[] = [];
  walk(aligned, ({ key }) => void keys.push(key));
  expect(new Set(keys).size).toBe(keys.length);
});

test('five thousand blocks are aligned in no time to speak of', () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `Paragraph number ${index} of many.`);
  const edited = lines.map((line, index) => (index % 50 === 0 ? `${line} Edited.` : line));
  expect(origins(lines.join('\n\n'), edited.join('\n\n'))).toEqual(lines.map((_, index) => index));
});
