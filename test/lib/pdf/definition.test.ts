import { expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import type { PdfPrinting } from '../../../src/lib/pdf/context.ts';
import { breaksBefore, destinationsIn, pageContent } from '../../../src/lib/pdf/definition.ts';

const NOTHING_LEFT_OUT = { format: 0, size: 0, unreadable: 0, effort: 0 };
const families = [{ name: 'Text', has: () => true }];

const printingOf = (markdown: string, given: Partial<PdfPrinting> = {}) => {
  const { document: body } = parseMarkdown(markdown);
  const printing: PdfPrinting = {
    source: { title: 'Guide', date: 'today', leftOut: NOTHING_LEFT_OUT, images: {}, targets: {} },
    destinations: new Set(['page_a', 'page_b', ...destinationsIn('page_a', body)]),
    pageId: 'page_a',
    highlight: () => undefined,
    families: { text: families, mono: families },
    icon: () => undefined,
    width: 480,
    direction: 'ltr',
    ...given,
  };
  return JSON.stringify(pageContent(printing, { pageId: 'page_a', title: 'A', depth: 0, body }));
};

test('headings differ in size by level', () => {
  const sizes = [...printingOf('# One\n\n## Two\n\n### Three').matchAll(/"fontSize":([\d.]+)/g)].map(([, size]) =>
    Number(size),
  );
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  expect(new Set(sizes).size).toBe(4);
});

test('a heading goes to the next sheet if its text is there, or if it is at the very bottom', () => {
  const at = (verticalRatio: number, following: number, headlineLevel = 1) =>
    breaksBefore(
      { headlineLevel, startPosition: { verticalRatio } },
      { getFollowingNodesOnPage: () => Array.from({ length: following }) },
    );
  expect(at(0.7, 0)).toBe(true);
  expect(at(0.7, 1)).toBe(false);
  expect(at(0.95, 1)).toBe(true);
  expect(at(0.2, 0)).toBe(false);
  expect(at(0.95, 0, 0)).toBe(false);
});

test('a link to a heading that does not exist leads to its page', () => {
  expect(printingOf('[x](#one)\n\n# One')).toContain('"linkToDestination":"page_a#one"');
  expect(printingOf('[x](#none)\n\n# One')).toContain('"linkToDestination":"page_a"');
});

test('code has the colors of the highlighter, line by line', () => {
  const highlight: PdfPrinting['highlight'] = (code, syntax) =>
    syntax === 'js' ? code.split('\n').map((line) => [{ text: line, color: '#123456' }]) : undefined;
  const colored = printingOf('```js\nconst a = 1;\n```', { highlight });
  expect(colored).toContain('"text":"const a = 1;","font":"Text","color":"#123456"');
  expect(printingOf('```text\nconst a = 1;\n```', { highlight })).not.toContain('#123456');
});

test('cards are boxes side by side, with a link to their target', () => {
  const cards = `<table data-view="cards"><thead><tr><th></th><th data-card-target data-type="content-ref"></th></tr></thead><tbody>
<tr><td><strong>First card</strong></td><td><a href="https://example.com/first">first</a></td></tr>
<tr><td><strong>Second card</strong></td><td><a href="https://example.com/second">second</a></td></tr>
</tbody></table>`;
  const content = printingOf(cards);
  expect(content).toContain('"unbreakable":true');
  expect(content.match(/"table":\{"widths":\[[^\]]*\],"body":\[\[\{"stack"/g)).toHaveLength(1);
  expect(content).toContain('"link":"https://example.com/first"');
});

test('a wide table is shown in parts, each with the first column', () => {
  const cells = (name: string) => Array.from({ length: 13 }, (_, index) => `${name}${index}`).join(' | ');
  const content = printingOf(`| ${cells('h')} |\n|${'---|'.repeat(13)}\n| ${cells('c')} |`);
  expect(content.match(/"headerRows":1/g)).toHaveLength(2);
  expect(content.match(/"text":"h0"/g)).toHaveLength(2);
  for (const name of ['c1', 'c9', 'c12']) expect(content.match(new RegExp(`"text":"${name}"`, 'g'))).toHaveLength(1);
});

test('columns of tables keep their alignment', () => {
  const content = printingOf('| a | b |\n|:-:|--:|\n| 1 | 2 |');
  expect(content.match(/"alignment":"center"/g)).toHaveLength(2);
  expect(content.match(/"alignment":"right"/g)).toHaveLength(2);
});

test.each([
  [-1, 0],
  [3, 3],
  [10_000, 20],
])('a rating of at most %d has %d stars', (max, stars) => {
  const content = printingOf(
    `<table><tr><th data-type="rating" data-max="${max}">a</th></tr><tr><td>${Math.abs(max)}</td></tr></table>`,
  );
  expect(content.match(/★/g) ?? []).toHaveLength(stars);
});

test('an image is not wider than its column', () => {
  const source = {
    title: 'Guide',
    date: 'today',
    targets: {},
    leftOut: NOTHING_LEFT_OUT,
    images: { file_a: { kind: 'bitmap' as const, base64: '', width: 2_000, height: 1_000 } },
  };
  const width = (markdown: string) => Number(/"fit":\[([\d.]+)/.exec(printingOf(markdown, { source }))?.[1]);
  const image = '![](file:file_a)';
  expect(width(image)).toBe(480);
  const column = `{% column %}\n${image}\n{% endcolumn %}`;
  expect(width(`{% columns %}\n${column}\n${column}\n{% endcolumns %}`)).toBe(234);
  expect(width(`{% hint style="info" %}\n${image}\n{% endhint %}`)).toBeLessThan(480);
});

test('a formula is shown with raised exponents, fractions and roots, and an unreadable one as it was written', () => {
  const texts = (markdown: string) =>
    [...printingOf(markdown).matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join('');
  expect(texts('$$\\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}$$')).toContain('√(b2 − 4ac)) / (2a)');
  expect(printingOf('$$x^2$$')).toMatch(/"text":"2","font":"Text","isolate":{},"sup":true/);
  expect(texts('$$\\frac{$$')).toContain('\\\\frac{');
  expect(texts('$$\\underbrace{a+b}_{n}$$')).toContain('(a + b)n');
  expect(texts('$$\\overbrace{x}^{2}$$')).toContain('x2');
});

test('short code stays on one sheet, and long code may continue on the next one', () => {
  expect(printingOf('```\na\nb\n```')).toContain('"unbreakable":true');
  expect(printingOf(`\`\`\`\n${'a\n'.repeat(40)}\`\`\``)).not.toContain('"unbreakable":true');
});
