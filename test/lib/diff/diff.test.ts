import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffDocuments } from '../../../src/lib/diff/block-changes.ts';
import { markChanges } from '../../../src/lib/diff/mark-changes.ts';
import { diffWords } from '../../../src/lib/diff/word-diff.ts';
import { alignKeys } from '../../../src/lib/document/align-keys.ts';
import { block, fragment, paragraph } from '../../../src/lib/document/build.ts';
import type { Block, JSONDocument } from '../../../src/lib/document/document.ts';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { assignKeys, countedKeys } from '../../../src/lib/document/keys.ts';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { textOf } from '../../../src/lib/document/plain-text.ts';
import { validateDocument } from '../../../src/lib/document/validate.ts';
import { makeYielder } from '../../../src/lib/tick.ts';
import { expectLinear } from '../../growth.ts';
import { anyBlocks } from '../document/arbitrary-document.ts';

const read = (markdown: string) => parseMarkdown(markdown, { nextKey: countedKeys() }).document;

/** A body, and another written over it. */
function versions(before: string, after: string): [JSONDocument, JSONDocument] {
  const document = read(before);
  return [document, alignKeys(document, read(after))];
}

async function changesIn(before: string, after: string): Promise<string[]> {
  const changes = await diffDocuments(...versions(before, after), makeYielder());
  return changes.map(({ kind, before: was, after: is }) => {
    return [kind, was && textOf(was), is && textOf(is)].filter((part) => part !== null).join(': ');
  });
}

const marked = async (before: string, after: string): Promise<string> =>
  printMarkdown(await markChanges(...versions(before, after), makeYielder()));

describe('words', () => {
  test.each([
    ['one two three', 'one 2 three', ['one ', '-two', '+2', ' three']],
    ['', 'new', ['+new']],
    ['old', '', ['-old']],
    ['same', 'same', ['same']],
    ['東京は晴れです', '東京は雨です', ['東京は', '-晴れ', '+雨', 'です']],
  ])('of %j and %j', (before, after, expected) => {
    const signs = { same: '', added: '+', deleted: '-' };
    expect(diffWords(before, after).map(({ change, text }) => signs[change] + text)).toEqual(expected);
  });

  test('give both texts back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        const spans = diffWords(before, after);
        const without = (change: string) =>
          spans.flatMap((span) => (span.change === change ? [] : [span.text])).join('');
        expect([without('added'), without('deleted')]).toEqual([before, after]);
      }),
      { numRuns: 1000 },
    );
  });

  test('of long and wholly different texts take time in proportion to their length', async () => {
    const textsOf = (words: number) => ({
      before: Array.from({ length: words }, (_, i) => `a${i}`).join(' '),
      after: Array.from({ length: words }, (_, i) => `b${i * 7}`).join(' '),
    });
    const diff = ({ before, after }: ReturnType<typeof textsOf>) => diffWords(before, after);
    expect(diff(textsOf(4000)).map(({ change }) => change)).toContain('deleted');
    await expectLinear(diff, textsOf, 4000);
  });
});

describe('blocks', () => {
  test('that were added, changed or removed are listed in the order of the later body', async () => {
    expect(await changesIn('one\n\ntwo words here\n\nthree', 'zero\n\none\n\ntwo other words here')).toEqual([
      'added: zero',
      'edited: two words here: two other words here',
      'deleted: three',
    ]);
  });

  test('that moved are the fewest', async () => {
    expect(await changesIn('one\n\ntwo\n\nthree\n\nfour', 'two\n\nthree\n\nfour\n\none')).toEqual(['moved: one: one']);
  });

  test('do not change within one body, and are all added to an empty one', async () => {
    expect(await changesIn('# one\n\ntwo', '# one\n\ntwo')).toEqual([]);
    const changes = await diffDocuments(null, read('one\n\ntwo'), makeYielder());
    expect(changes.map(({ kind }) => kind)).toEqual(['added', 'added']);
  });
});

describe('a marked body', () => {
  const added = (text: string) => `<mark style="color:green;">${text}</mark>`;
  const deleted = (text: string) => `<mark style="color:red;">~~${text}~~</mark>`;

  test.each([
    ['one two three', 'one 2 three', `one ${deleted('two')}${added('2')} three`],
    ['one\n\ntwo', 'one', `one\n\n${deleted('two')}`],
    ['one', 'one\n\ntwo', `one\n\n${added('two')}`],
    ['* one\n* two', '* one\n* two\n* three', `* one\n* two\n* ${added('three')}`],
    ['```js\na\nb\n```', '```js\na\nc\n```', '```diff\n  a\n- b\n+ c\n```'],
  ])('of %j and %j', async (before, after, expected) => {
    expect((await marked(before, after)).trim()).toBe(expected);
  });

  test.each([
    ['a task that was done', '* [ ] one', '* [x] one'],
    [
      'the style of a hint',
      '{% hint style="info" %}\none\n{% endhint %}',
      '{% hint style="danger" %}\none\n{% endhint %}',
    ],
    ['the level of a heading', '## one', '### one'],
    ['a heading that became a paragraph', '## one', 'one'],
    [
      'the title of a tab',
      '{% tabs %}\n{% tab title="A" %}\none\n{% endtab %}\n{% endtabs %}',
      '{% tabs %}\n{% tab title="B" %}\none\n{% endtab %}\n{% endtabs %}',
    ],
    ['the language of code', '```js\none\n```', '```ts\none\n```'],
    [
      'the title of what can be opened',
      '<details>\n<summary>A</summary>\n\none\n\n</details>',
      '<details>\n<summary>B</summary>\n\none\n\n</details>',
    ],
  ])('shows both versions of %s', async (_what, before, after) => {
    const text = await marked(before, after);
    expect(text.match(/one/g)).toHaveLength(2);
    expect(text).toMatch(/~~one~~|- one/);
  });

  test('of a line of very many pieces takes time in proportion to their number', async () => {
    const leaves = (word: string, count: number) =>
      Array.from({ length: count }, (_, i) => ({ object: 'leaf' as const, text: `${word}${i} `, marks: [] }));
    const body = (word: string, count: number) =>
      documentOf([{ ...paragraph([{ object: 'text', leaves: leaves(word, count) }]), key: 'k' }]);
    const bodies = (count: number) => ({ before: body('a', count), after: body('b', count) });
    const mark = ({ before, after }: ReturnType<typeof bodies>) => markChanges(before, after, makeYielder());
    const { nodes } = await mark(bodies(20_000));
    expect(nodes.map(textOf).join().match(/a\d/g)).not.toBeNull();
    await expectLinear(mark, bodies, 5_000);
  });

  test('marks the words in cells of a table', async () => {
    const table = (cell: string) => `| a | b |\n| --- | --- |\n| c | ${cell} |`;
    const text = await marked(table('one two'), table('one 2'));
    expect(text).toContain(`one ${deleted('two')}${added('2')}`);
    expect(text.match(/\| c /g)).toHaveLength(1);
  });

  describe('of a table', () => {
    /** A table of one record, with the texts of its cells by column. */
    function table(texts: Record<string, string>, others: Record<string, number | boolean | null> = {}) {
      const column = (id: string, type: 'number' | 'checkbox') => ({ id, title: id, type });
      const textColumn = (id: string) => ({ id, title: id, type: 'text' as const, textAlignment: 'left' as const });
      const names = Object.fromEntries(Object.keys(texts).map((id) => [id, `in-${id}`]));
      const content = block('table', {
        data: {
          view: { type: 'grid', columns: ['a', 'b', 'count', 'done'], hideHeader: false },
          definition: {
            a: textColumn('a'),
            b: textColumn('b'),
            count: column('count', 'number'),
            done: column('done', 'checkbox'),
          },
          records: { r: { orderIndex: 'a', values: { ...names, ...others } } },
        },
        fragments: Object.entries(texts).map(([id, value]) =>
          fragment(`in-${id}`, [{ ...paragraph(value), key: `p-${id}` }]),
        ),
      });
      return documentOf([{ ...content, key: 'table' }]);
    }
    /** The tables that show the two versions, with deletions as in a line of Markdown. */
    const tablesIn = async (before: JSONDocument, after: JSONDocument) => {
      const { nodes } = await markChanges(before, after, makeYielder());
      return nodes.map((node) => printMarkdown(documentOf([node])).replaceAll(/<\/?del>/g, '~~'));
    };

    test.each([
      ['number', { count: 1 }, { count: 2 }],
      ['checkbox', { done: false }, { done: true }],
      ['number that was removed', { count: 1 }, { count: null }],
    ])('shows both versions of a changed %s', async (_, before, after) => {
      const tables = await tablesIn(table({ a: 'one' }, before), table({ a: 'one' }, after));
      expect(tables).toEqual([expect.stringContaining(deleted('one')), expect.stringContaining(added('one'))]);
    });

    test('shows both versions of a cell whose text was removed', async () => {
      const tables = await tablesIn(table({ a: 'one', b: 'two' }), table({ a: 'one' }));
      expect(tables).toEqual([expect.stringContaining(deleted('two')), expect.stringContaining(added('one'))]);
    });

    test('marks the words of a cell beside cells that are empty in different ways', async () => {
      const tables = await tablesIn(table({ a: 'one two' }, { b: null, count: null }), table({ a: 'one 2' }));
      expect(tables).toEqual([expect.stringContaining(`one ${deleted('two')}${added('2')}`)]);
    });

    test('marks the text of a cell that was empty as added', async () => {
      const tables = await tablesIn(table({ a: 'one' }), table({ a: 'one', b: 'two' }));
      expect(tables).toEqual([expect.stringContaining(added('two'))]);
      expect(tables[0]).not.toContain(added('one'));
    });
  });

  test('is a valid document, whatever the two bodies are', async () => {
    const keyed = (nodes: Block[], prefix: string) => {
      const document = structuredClone(documentOf(nodes));
      assignKeys(document, countedKeys(prefix));
      return document;
    };
    await fc.assert(
      fc.asyncProperty(anyBlocks, anyBlocks, fc.boolean(), async (one, other, isAligned) => {
        const before = keyed(one, 'a');
        const after = isAligned ? alignKeys(before, keyed([...other, ...one], 'b')) : keyed(other, 'b');
        const result = await markChanges(before, after, makeYielder());
        expect(validateDocument(result)).toMatchObject({ document: {} });
        expect(typeof printMarkdown(result)).toBe('string');
      }),
      { numRuns: 400 },
    );
  });
});
