import { beforeAll, describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { expectLinear, timeOf } from '../../growth.ts';
import { expectStable, expectValid, parse } from './markdown-round-trip.ts';

const megabyte = 1_000_000;
const filled = (unit: string) => unit.repeat(Math.ceil(megabyte / unit.length));
const pyramid = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);

const hostile: [name: string, text: string][] = [
  ['brackets', filled('[')],
  ['closing brackets', filled(']')],
  ['links without end', filled('[a](')],
  ['images in images', filled('![')],
  ['stars', filled('*')],
  ['emphasis without end', filled('*a_ ')],
  ['emphasis in words', filled('a**b')],
  ['emphasis in emphasis', pyramid('*a ', ' a*', 160_000)],
  ['strikes', filled('a~~b')],
  ['backticks', Array.from({ length: 1400 }, (_, i) => '`'.repeat(i)).join(' ')],
  ['dollars', filled('$$ $$$ ')],
  ['tags without end', filled('<a ')],
  ['comments without end', filled('<!--')],
  ['comments in text without end', filled('a <!--')],
  ['declarations', filled('a <![CDATA[')],
  ['quotations in quotations', filled('>')],
  ['ten thousand quotations', '>'.repeat(10_000)],
  ['lists in lists', filled('- + ')],
  ['numbers in numbers', filled('1. ')],
  ['a staircase of lists', Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i * 2)}- a`).join('\n')],
  ['many quotations', filled('> a\n\n')],
  ['lazy quotations', filled('> a\nb\n')],
  ['underlined lines', filled('a\n=\n')],
  ['hints in hints', pyramid('{% hint style="info" %}\n', '{% endhint %}\n', 10_000)],
  ['hints without end', filled('{% hint %}\n')],
  ['tags on one line', `{% ${'%} '.repeat(100_000)}`],
  ['details in details', pyramid('<details>\n\n', '</details>\n\n', 20_000)],
  ['elements in elements', pyramid('<div>', '</div>', 60_000)],
  ['spans in spans', `a ${pyramid('<b>', '</b>', 100_000)}`],
  ['a long table', `|a|b|\n|-|-|\n${filled('|x|y|\n')}`],
  ['a wide table', ['|a', '|-', '|x'].map((cell) => `${cell.repeat(100_000)}|`).join('\n')],
  ['a wide table in HTML', `<table><tr>${'<td>x'.repeat(100_000)}</tr></table>`],
  ['a definition used often', `[x]: ${'a'.repeat(megabyte / 2)}\n\n${'[x] '.repeat(50_000)}`],
  [
    'footnotes in footnotes',
    Array.from({ length: 5000 }, (_, i) => `[^${i}]: [^${i + 1}] [^${i + 1}] [^${i + 1}]`).join('\n\n'),
  ],
  ['a footnote used often', `[^1]: ${'a'.repeat(100_000)}\n\n${'[^1]\n\n'.repeat(50_000)}`],
  ['addresses', filled('http://a.b?')],
  ['mail addresses', filled('a@')],
  ['line breaks', filled('\n')],
  ['spaces', filled(' ')],
  ['entities', filled('&amp;')],
  ['backslashes', filled('\\[')],
  ['NULs and halves of characters', filled('\0\ud800')],
];

describe('a megabyte of', () => {
  let ordinaryMs: number;

  beforeAll(async () => {
    // With an entity, which only the grammar reads: common forms take a fraction of its time.
    const prose = filled(
      '## A heading\n\nSome *words* &amp; `code`, [a link](https://example.com) and **more** of them.\n\n',
    );
    // The first reading compiles.
    await timeOf(() => printMarkdown(parseMarkdown(prose).document));
    ordinaryMs = await timeOf(() => printMarkdown(parseMarkdown(prose).document));
  });

  test.each(hostile)(
    '%s is read and printed in a few times the time of prose',
    { timeout: 120_000 },
    async (_, markdown) => {
      let read = parseMarkdown('');
      const ms = await timeOf(() => {
        read = parseMarkdown(markdown);
        printMarkdown(read.document);
      });
      expect(ms / ordinaryMs).toBeLessThan(9);
      expectValid(read.document);
    },
  );
});

test.each([
  ['many quotations', '> a\n\n'],
  ['lazy quotations', '> a\nb\n'],
  ['underlined lines', 'a\n=\n'],
])('%s are read in linear time', async (_, unit) => {
  await expectLinear(parseMarkdown, (size) => unit.repeat(size / unit.length), 40_000);
});

describe('text over the limits', () => {
  test('is kept as written, and stays stable', () => {
    const text = ']'.repeat(100_000);
    const { document, degradations } = parseMarkdown(`# a\n\n${text}\n\nb`);
    expect(expectStable(document) === `# a\n\n\`\`\`\n${text}\n\`\`\`\n\nb\n`).toBe(true);
    expect(degradations).toEqual([{ line: 3, message: expect.stringContaining('too complex') }]);
  });

  test('includes tables of thousands of columns, which take long to parse', () => {
    const row = (cell: string, columns: number) => `${Array(columns).fill(cell).join('|')}\n`;
    const table = (columns: number) => parseMarkdown(row('a', columns) + row('-', columns) + row('a', columns));
    expect(table(20).degradations).toEqual([]);
    expect(table(10_000).degradations).toEqual([{ line: 1, message: expect.stringContaining('too complex') }]);
  });

  test('does not affect the rest of a long text', () => {
    const pages = Array.from(
      { length: 400 },
      (_, i) => `## Heading ${i}\n\nSome **text** with [a link][ref] and a note[^n].\n`,
    ).join('\n');
    const { document } = parseMarkdown(
      `${pages}\n${']'.repeat(200_000)}\n\n${pages}\n[ref]: https://a.b\n\n[^n]: Note`,
    );
    expect(document.nodes.filter(({ type }) => type === 'heading-2').length).toBeGreaterThan(700);
    expect(document.nodes.filter(({ type }) => type === 'code')).toHaveLength(1);
    expect(JSON.stringify(document).includes('[ref]')).toBe(false);
  });
});

describe('nesting', () => {
  test('beyond the limit of documents is flattened', () => {
    const document = parse(`${'> '.repeat(100)}deep`);
    expectValid(document);
    expect(JSON.stringify(document)).toContain('deep');
    expectStable(document);
  });

  test('of lists by indentation is flattened too', () => {
    const document = parse(Array.from({ length: 60 }, (_, i) => `${'  '.repeat(i)}* item${i}`).join('\n'));
    expectValid(document);
    for (let i = 0; i < 60; i++) expect(JSON.stringify(document)).toContain(`item${i}`);
    expectStable(document);
  });
});

test('a long text is cut between top-level blocks', () => {
  const part =
    '* item\n\n  ```\n  code\n\n  more\n  ```\n\n  > quote\n\n{% hint style="info" %}\ntext\n\n```\n# no heading\n\n- no list\n```\n{% endhint %}\n\n<pre>\n\nraw\n\n</pre>\n\n$$\n\na\n\n$$\n\n';
  const once = parse(part).nodes.length;
  const many = parse(part.repeat(300)).nodes;
  expect(many).toHaveLength(once * 300);
});
