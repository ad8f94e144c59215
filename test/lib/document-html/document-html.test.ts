import fc from 'fast-check';
import type { Element, Root } from 'hast';
import { expect, test } from 'vitest';
import { block } from '../../../src/lib/document/build.ts';
import type { BlockOf, JSONDocument, TableRecord } from '../../../src/lib/document/document.ts';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { normalizeDocument } from '../../../src/lib/document/normalize.ts';
import { orderIndexAt } from '../../../src/lib/document/table-cells.ts';
import { validateDocument } from '../../../src/lib/document/validate.ts';
import { contrast, readableOn, solidColors } from '../../../src/lib/document-html/colors.ts';
import { printDocument } from '../../../src/lib/document-html/document-html.ts';
import { html } from '../../../src/lib/document-html/html.ts';
import type { WebSource } from '../../../src/lib/document-html/printing.ts';
import { parseHtmlFragment } from '../../../src/lib/html/parse-html.ts';
import { expectLinear } from '../../growth.ts';
import { anyBlocks } from '../document/arbitrary-document.ts';
import { parse } from '../document/markdown-round-trip.ts';

const words = { linkTo: 'Link to', done: 'done', open: 'open', info: 'I', success: 'S', warning: 'W', danger: 'D' };
const source: WebSource = { targets: {}, words, siteUrl: '/sites/acme/docs', direction: 'ltr', opensNewWindow: false };

const printed = async (markdown: string, given: Partial<WebSource> = {}) =>
  (await printDocument(parse(markdown), { ...source, ...given })).html;

/** All elements as a browser reads them. */
function elementsIn(text: string): Element[] {
  const root = parseHtmlFragment(text);
  const all: Element[] = [];
  const collect = (node: Root | Element) => {
    for (const child of node.children) {
      if (child.type !== 'element') continue;
      all.push(child);
      collect(child);
    }
  };
  collect(root);
  return all;
}

const ACTIVE = [
  'script',
  'style',
  'iframe',
  'object',
  'embed',
  'link',
  'meta',
  'base',
  'form',
  'template',
  'video',
  'audio',
];

test('no document executes anything, or loads what is not of the service', async () => {
  await fc.assert(
    fc.asyncProperty(anyBlocks, async (nodes) => {
      const result = validateDocument({ object: 'document', data: {}, nodes });
      if ('issues' in result) throw new Error(JSON.stringify(result.issues));
      const { html: text } = await printDocument(normalizeDocument(documentOf(result.document.nodes)), source);
      for (const { tagName, properties } of elementsIn(text)) {
        expect(ACTIVE).not.toContain(tagName);
        expect(Object.keys(properties).filter((name) => /^on/i.test(name) || name === 'srcDoc')).toEqual([]);
        expect(properties).not.toHaveProperty('src');
        if (properties.href !== undefined) expect(String(properties.href)).toMatch(/^(https?:|mailto:|tel:|#|\/)/i);
      }
    }),
    { numRuns: 150 },
  );
});

test('links with schemes that execute something are only text', async () => {
  const text = await printed(
    '[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example) [d](/guide) [e](mailto:a@b.c)',
  );
  const hrefs = elementsIn(text).map(({ properties }) => properties.href);
  expect(hrefs.filter((href) => href !== undefined)).toEqual(['/sites/acme/docs/guide', 'mailto:a@b.c']);
});

test('links to other sites can open in a new window', async () => {
  expect(await printed('[a](https://acme.example)', { opensNewWindow: true })).toContain(
    '<a href="https://acme.example" rel="noopener" target="_blank">a</a>',
  );
});

test('lines of code are colored by classes, in unknown languages by none', async () => {
  expect(await printed('```js\nconst a = "b";\n```')).toContain('<span class="t-keyword">const</span>');
  expect(await printed('```nolang\nconst <a>\n```')).toContain('<span class="line">const &lt;a&gt;\n</span>');
});

test('formulas are MathML, and what cannot be typeset is shown as written', async () => {
  expect(await printed('$$\\frac{1}{2}$$')).toContain('<mfrac>');
  expect(await printed('$$\\nonsense{$$')).toContain('<code>\\nonsense{</code>');
  const link = await printed('$$\\href{javascript:alert(1)}{x}$$');
  expect(elementsIn(link).map(({ tagName }) => tagName)).not.toContain('a');
});

test('tabs are radio buttons with a panel each', async () => {
  const markdown =
    '{% tabs %}\n{% tab title="One" %}\nFirst\n{% endtab %}\n{% tab title="Two" %}\nSecond\n{% endtab %}\n{% endtabs %}';
  const text = await printed(markdown);
  expect(text.match(/<input type="radio" name="tabs-1"/g)).toHaveLength(2);
  expect(text).toContain('<label for="tabs-1-1">Two</label>');
});

test('the outline has the headings of two levels', async () => {
  const { outline } = await printDocument(parse('# One\n\n## Two\n\n### Three\n', { topHeading: 1 }), source);
  expect(outline.map(({ title, level }) => [title, level])).toEqual([
    ['One', 1],
    ['Two', 2],
  ]);
});

type Merges = NonNullable<BlockOf<'table'>['data']['cellMerges']>;

/** A table with the columns a, b and c, and records that are named r0 and so on. Its cells have the names of both. */
function tableWith(records: number, cellMerges: Merges): JSONDocument {
  const columns = ['a', 'b', 'c'];
  const option = { multiple: false, options: [] };
  const record = (_: unknown, at: number): [string, TableRecord] => {
    const values = Object.fromEntries(columns.map((id) => [id, `${id}${at}`]));
    return [`r${at}`, { orderIndex: orderIndexAt(at, records), values }];
  };
  const data: BlockOf<'table'>['data'] = {
    view: { type: 'grid', columns, hideHeader: true },
    definition: Object.fromEntries(columns.map((id) => [id, { id, title: id, type: 'select', ...option }])),
    records: Object.fromEntries(Array.from({ length: records }, record)),
    cellMerges,
  };
  return documentOf([block('table', { data, fragments: [] })]);
}

const merge = (record: number, column: string, rowSpan: number, colSpan: number): Merges[number] => ({
  anchor: { record: `r${record}`, column },
  rowSpan,
  colSpan,
});

test('merged cells end at the edge of the table, and those that overlap earlier ones are left out', async () => {
  const table = tableWith(4, [merge(0, 'a', 2, 2), merge(1, 'b', 2, 2), merge(3, 'b', 9, 9), merge(4, 'a', 2, 2)]);
  const { html: text } = await printDocument(table, source);
  const rows = [...text.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<td(.*?)>.*?([abc]\d)/g)].map(([, spans, name]) => `${name}${spans}`),
  );
  expect(rows).toEqual([
    ['a0 rowspan="2" colspan="2"', 'c0'],
    ['c1'],
    ['a2', 'b2', 'c2'],
    ['a3', 'b3 rowspan="1" colspan="2"'],
  ]);
});

test('a table with many overlapping merged cells takes time in proportion to its records', {
  timeout: 120_000,
}, async () => {
  const inputOf = (records: number) =>
    tableWith(
      records,
      Array.from({ length: 4 * records }, (_, at) => merge(records - 1 - (at % 2), 'b', 2, 2)),
    );
  await expectLinear((table) => printDocument(table, source), inputOf, 8_000);
});

test.each([
  [-1, 0],
  [3, 3],
  [10_000, 20],
])('a rating of at most %d has %d stars', async (max, stars) => {
  const text = await printed(
    `<table><tr><th data-type="rating" data-max="${max}">a</th></tr><tr><td>${Math.abs(max)}</td></tr></table>`,
  );
  expect(text).toContain(`/${max}">${'★'.repeat(stars)}</span>`);
});

test('templates escape text and drop what is absent', () => {
  const value = '<"&\'\u0000>';
  expect(html`<p title="${value}">${[value, undefined, false, 0]}</p>`.source).toBe(
    '<p title="&lt;&quot;&amp;&#39;&gt;">&lt;&quot;&amp;&#39;&gt;0</p>',
  );
});

test('colors of text can be read on their backgrounds', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(color, color, (wanted, background) => {
      expect(contrast(readableOn(wanted, background), background)).toBeGreaterThanOrEqual(4.5);
      const { back, ink } = solidColors(wanted);
      expect(contrast(back, ink)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 500 },
  );
});

test('text in another direction than the content around it says so, and lists are turned as a whole', async () => {
  expect(await printed('Say שלום.')).toBe('<p>Say שלום.</p>');
  expect(await printed('שלום לך.')).toBe('<p dir="rtl">שלום לך.</p>');
  expect(await printed('- אחד\n- Two')).toMatch(/^<div dir="rtl"><ul><li><div>אחד<\/div><\/li><li><div dir="ltr">Two/);
  const rtl = { direction: 'rtl' } as const;
  expect(await printed('API הוא קיצור.', rtl)).toBe('<p>API הוא קיצור.</p>');
  expect(await printed('Only English.', rtl)).toBe('<p dir="ltr">Only English.</p>');
  const table = await printed('| שם | Name |\n|---|---|\n| פורט | English. |', rtl);
  expect(table).toContain('<th scope="col">שם</th><th scope="col" dir="ltr">Name</th>');
  expect(table).toContain('<td dir="ltr">English.</td>');
});
