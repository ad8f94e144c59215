import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { alignKeys } from '../../../src/lib/document/align-keys.ts';
import type { BlockOf, JSONDocument } from '../../../src/lib/document/document.ts';
import { countedKeys } from '../../../src/lib/document/keys.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { recordsOf } from '../../../src/lib/document/table-cells.ts';
import { validateDocument } from '../../../src/lib/document/validate.ts';
import { walk } from '../../../src/lib/document/walk.ts';
import { expectLinear } from '../../growth.ts';
import { anyBlocks } from './arbitrary-document.ts';
import { meaning, parse } from './markdown-round-trip.ts';

const earlier = (markdown: string) => parse(markdown, { nextKey: countedKeys('old') });
const later = (markdown: string) => parse(markdown, { nextKey: countedKeys('new') });
const write = (previous: JSONDocument, markdown: string) => alignKeys(previous, later(markdown), countedKeys('made'));
const keys = (document: JSONDocument) => document.nodes.map(({ key }) => key);
const origins = (document: JSONDocument) => keys(document).map((key) => key?.replace(/\d+/, ''));

function allKeys(document: JSONDocument): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  walk(document, (node) => found.push(node.key));
  return found;
}

describe('blocks', () => {
  const previous = earlier('# Title\n\nFirst words here\n\nSecond words there\n\n***\n\nThird');

  test('that did not change keep all their keys', () => {
    expect(write(previous, printMarkdown(previous))).toEqual(previous);
  });

  test('that were edited keep theirs', () => {
    expect(keys(write(previous, '# Title\n\nFirst new words here\n\nSecond\n\n***\n\nThird'))).toEqual(keys(previous));
  });

  test('that were added get new ones', () => {
    const next = write(previous, '# Title\n\nNew\n\nFirst words here\n\nSecond words there\n\n***\n\nThird\n\nLast');
    expect(origins(next)).toEqual(['old', 'new', 'old', 'old', 'old', 'old', 'new']);
  });

  test('added before an edited one do not take its key', () => {
    const next = write(earlier('alpha beta gamma'), 'something else\n\nalpha beta gamma delta');
    expect(origins(next)).toEqual(['new', 'old']);
  });

  test('that were removed do not pass on their keys', () => {
    const [title, , second, , third] = keys(previous);
    expect(keys(write(previous, '# Title\n\nSecond words there\n\nThird'))).toEqual([title, second, third]);
  });

  test('that were moved keep theirs', () => {
    const [title, first, second, divider, third] = keys(previous);
    const next = write(previous, 'Third\n\n# Title\n\nSecond words there\n\n***\n\nFirst words here');
    expect(keys(next)).toEqual([third, title, second, divider, first]);
  });

  test('of another type with the same words keep theirs', () => {
    expect(origins(write(earlier('the same words'), '## the same words'))).toEqual(['old']);
    expect(origins(write(earlier('the same words'), '```\nquite another thing\n```'))).toEqual(['new']);
  });

  test('never share a key with one that was there before', () => {
    const next = alignKeys(earlier('a'), parse('b\n\n***\n\n***', { nextKey: countedKeys('old') }), countedKeys('old'));
    expect(new Set(allKeys(next)).size).toBe(allKeys(next).length);
  });
});

describe('what is nested', () => {
  test('keeps its keys in lists', () => {
    const previous = earlier('* one\n* two\n  * deep\n* three');
    const next = write(previous, '* zero\n* one\n* two\n  * deeper\n* three');
    const items = (document: JSONDocument) => (document.nodes[0] as BlockOf<'list-unordered'>).nodes;
    expect(
      items(next)
        .map(({ key }) => key)
        .slice(1),
    ).toEqual(items(previous).map(({ key }) => key));
    expect(items(next)[2]?.nodes[1]).toMatchObject({ key: items(previous)[1]?.nodes[1]?.key });
  });

  test('keeps its keys in tabs and fragments', () => {
    const markdown =
      '{% tabs %}\n{% tab title="a" %}\nb\n{% endtab %}\n{% endtabs %}\n\n<details>\n\n<summary>c</summary>\n\nd\n\n</details>';
    const previous = earlier(markdown);
    const next = write(previous, markdown.replace('\nb\n', '\nb changed\n').replace('\nd\n', '\nd changed\n'));
    expect(allKeys(next)).toEqual(allKeys(previous));
  });

  test('keeps the ids of tables', () => {
    const previous = earlier('| a | b |\n|-|-|\n| 1 | one |\n| 2 | two |');
    const [first] = previous.nodes;
    const next = write(previous, '| b | a | c |\n|-|-|-|\n| zero | 0 | x |\n| one! | 1 | y |\n| two | 2 | z |');
    const table = next.nodes[0] as BlockOf<'table'>;
    expect(first?.type === 'table' && first.key).toBe(table.key);
    expect(table.data.view.columns).toEqual(['column001', 'column000', 'column002']);
    expect(recordsOf(table).map(([id]) => id)).toEqual([
      expect.not.stringMatching(/^record[01]$/),
      'record0',
      'record1',
    ]);
    expect(table.data.records.record1?.values).toMatchObject({ column000: 'cell1-0', column001: 'cell1-1' });
    expect(validateDocument(next)).toHaveProperty('document');
  });
});

test('aligning changes nothing but keys and ids, which stay unique', () => {
  fc.assert(
    fc.property(anyBlocks, anyBlocks, (a, b) => {
      const [previous, next] = [a, b].map((nodes) => {
        const checked = validateDocument({ object: 'document', data: {}, nodes }, countedKeys());
        if ('issues' in checked) throw new Error(JSON.stringify(checked.issues));
        return checked.document;
      });
      if (!previous || !next) return;
      const aligned = alignKeys(previous, next);
      expect(meaning(aligned)).toBe(meaning(next));
      expect(new Set(allKeys(aligned)).size).toBe(allKeys(aligned).length);
      expect('issues' in validateDocument(aligned)).toBe(false);
    }),
    { numRuns: 150 },
  );
});

test('long documents are aligned in time proportional to their length', async () => {
  const reversed = (count: number) => {
    const lines = Array.from({ length: count }, (_, i) => `Line ${i} ${i * 7919}`);
    const changed = lines.map((line, i) => (i % 10 === 0 ? `${line} changed` : line)).reverse();
    return { previous: earlier(lines.join('\n\n')), next: later(changed.join('\n\n')) };
  };
  const align = ({ previous, next }: ReturnType<typeof reversed>) => alignKeys(previous, next);
  await expectLinear(align, reversed, 750);
  const aligned = align(reversed(3000));
  expect(origins(aligned).filter((origin) => origin === 'old').length).toBeGreaterThan(2600);
});

test('the steps of an edit of every second block grow with the number of blocks', () => {
  const stepsFor = (count: number): number => {
    const lines = Array.from({ length: count }, (_, i) => `Line ${i} ${i * 7919}`);
    const changed = lines.map((line, i) => (i % 2 === 0 ? `${line} changed` : line));
    const [previous, next] = [earlier(lines.join('\n\n')), later(changed.join('\n\n'))];
    let added = 0;
    class CountedSet<Value> extends Set<Value> {
      constructor(values?: Iterable<Value> | null) {
        super(values);
        added += this.size;
      }
    }
    vi.stubGlobal('Set', CountedSet);
    const aligned = alignKeys(previous, next);
    vi.unstubAllGlobals();
    expect(keys(aligned)).toEqual(keys(previous));
    return added;
  };
  expect(stepsFor(2_000)).toBeLessThan(6 * stepsFor(500));
});
