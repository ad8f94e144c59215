import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Leaf } from '../../../src/lib/document/document.ts';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { patchMarkdown } from '../../../src/lib/document/markdown/patch/patch-markdown.ts';
import { normalizeDocument } from '../../../src/lib/document/normalize.ts';
import { parseSummary } from '../../../src/lib/repository/summary.ts';
import { splitTitle } from '../../../src/lib/repository/title.ts';
import { lawRuns } from '../../how-thorough.ts';
import { expectStable, parse } from './markdown-round-trip.ts';

/** The leaves of the only paragraph of a text, as words with their marks. */
const leavesOf = (markdown: string) => {
  const [block] = parse(markdown).nodes;
  if (block?.type !== 'paragraph') throw new Error('It is no paragraph.');
  return block.nodes.flatMap((node) =>
    node.object === 'text' ? node.leaves.map(({ text, marks }: Leaf) => [text, ...marks.map(({ type }) => type)]) : [],
  );
};

describe('emphasis next to Chinese, Japanese and Korean', () => {
  test.each([
    ['**注意：**これ', [['注意：', 'bold'], ['これ']]],
    ['これ**「重要」**です', [['これ'], ['「重要」', 'bold'], ['です']]],
    ['请看**（说明）**第一章', [['请看'], ['（说明）', 'bold'], ['第一章']]],
    ['이것은**(중요)**입니다', [['이것은'], ['(중요)', 'bold'], ['입니다']]],
    ['これは*強調、*です', [['これは'], ['強調、', 'italic'], ['です']]],
    ['これは~~削除。~~です', [['これは'], ['削除。', 'strikethrough'], ['です']]],
    ['a**(b)**c', [['a**(b)**c']]],
    ['漢_字_漢', [['漢_字_漢']]],
  ])('%s', (markdown, leaves) => {
    expect(leavesOf(markdown)).toEqual(leaves);
    const document = parse(markdown);
    expect(patchMarkdown(markdown, document)).toBe(markdown);
    expectStable(document);
  });

  test('is printed with asterisks', () => {
    expect(expectStable(parse('**注意：**これ**「重要」**です'))).toBe('**注意：**これ**「重要」**です\n');
  });

  test('counts in titles of pages and in tables of contents', () => {
    expect(splitTitle('# **注意：**これ\n').title).toBe('注意：これ');
    expect(parseSummary('* [**注意：**これ](a.md)\n').items[0]?.title).toBe('注意：これ');
  });
});

describe('text between dollars without blanks', () => {
  const text = '$\\mathbb{F}_p^\\times$ has order $a_{i}*b_{j}*c$ and **x**';

  test('is plain text, which an edit of its paragraph leaves as it is', () => {
    expect(leavesOf(text)).toEqual([['$\\mathbb{F}_p^\\times$ has order $a_{i}*b_{j}*c$ and '], ['x', 'bold']]);
    const document = JSON.parse(JSON.stringify(parse(text)).replace('order', 'rank'));
    expect(patchMarkdown(text, document)).toBe(text.replace('order', 'rank'));
  });

  test.each([
    'It costs **$5** or **$6**, and $7*$8.',
    '[$a](u) and `$b`$, $[x](u)$, $<b>x</b>$, $https://a.b$',
    '| $a*b*c$ | $d$ |\n| --- | --- |\n| $x_{1}$ | y |',
    '![$a*b*$](u)',
  ])('%s keeps its links, tags and prices', (markdown) => {
    const document = parse(markdown);
    expectStable(document);
    expect(patchMarkdown(markdown, document)).toBe(markdown);
  });

  test.each([
    ['$x\\_{i}$ and $\\\\{a\\\\}$', '$x_{i}$ and $\\{a\\}$'],
    ['$a\\*b$', '$a*b$'],
  ])('escapes that converters write in %s are read', (markdown, text) => {
    expect(leavesOf(markdown)).toEqual([[text]]);
    expect(expectStable(parse(markdown))).toBe(`${text}\n`);
  });

  test('prices get no backslash', () => {
    expect(expectStable(parse('**$5**/**$6** and $7'))).toBe('**$5**/**$6** and $7\n');
  });
});

test('lines of any characters mean the same after printing, whatever their marks', () => {
  const bit = fc.constantFrom(
    ...[
      '「',
      '」',
      '：',
      'これ',
      '漢',
      '。',
      '한',
      '｡',
      '𠮷',
      '“',
      '”',
      '\ufe00',
      '😀',
      '(',
      ')',
      '!',
      '-',
      '@',
      ':x:',
    ],
    ...['$', '$', '$a*b$', '$x_{i}$', 'a', 'b', '1', ' ', '*', '_', '~', '\\', '|', '[', ']', '`', '<', '&lt;', '\n'],
    ...['https://a.b', 'www.a', '\ufdd5'],
  );
  const text = fc
    .array(bit, { minLength: 1, maxLength: 4 })
    .map((bits) => bits.join(''))
    .filter((each) => each.isWellFormed());
  const types = ['bold', 'italic', 'strikethrough', 'code'] as const;
  const marks = fc.subarray([...types], { maxLength: 2 }).map((own) => own.map((type) => ({ object: 'mark', type })));
  const leaves = fc.array(fc.record({ object: fc.constant('leaf'), text, marks }), { minLength: 1, maxLength: 5 });
  const block = fc.record({ type: fc.constantFrom('paragraph', 'heading-2'), leaves }).map(({ type, leaves: own }) => ({
    object: 'block',
    type,
    isVoid: false,
    data: {},
    nodes: [{ object: 'text', leaves: own }],
  }));
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 2 }), (nodes) => {
      expectStable(normalizeDocument(documentOf(nodes as never)));
    }),
    { numRuns: lawRuns(150) },
  );
});
