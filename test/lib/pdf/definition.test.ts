import { expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import type { Printing } from '../../../src/lib/pdf/context.ts';
import { breaksBefore, destinationsIn, pageContent } from '../../../src/lib/pdf/definition.ts';

const families = [{ name: 'Text', has: () => true }];

const printingOf = (markdown: string, given: Partial<Printing> = {}) => {
  const { document: body } = parseMarkdown(markdown);
  const printing: Printing = {
    source: { title: 'Guide', date: 'today', images: {}, targets: {} },
    destinations: new Set(['page_a', 'page_b', ...destinationsIn('page_a', body)]),
    pageId: 'page_a',
    highlight: () => undefined,
    families: { text: families, mono: families },
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
  const highlight: Printing['highlight'] = (code, syntax) =>
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
  expect(content.match(/"columns":\[\{"width":[\d.]+,"table"/g)).toHaveLength(1);
  expect(content).toContain('"link":"https://example.com/first"');
});
