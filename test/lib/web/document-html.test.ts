import fc from 'fast-check';
import type { Element, Root } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { normalizeDocument } from '../../../src/lib/document/normalize.ts';
import { validateDocument } from '../../../src/lib/document/validate.ts';
import { contrast, readableOn, solid } from '../../../src/lib/web/colors.ts';
import { printDocument } from '../../../src/lib/web/document-html.ts';
import { html } from '../../../src/lib/web/html.ts';
import type { WebSource } from '../../../src/lib/web/printing.ts';
import { anyBlocks } from '../document/arbitrary-document.ts';
import { parse } from '../document/markdown-round-trip.ts';

const words = { linkTo: 'Link to', done: 'done', open: 'open', info: 'I', success: 'S', warning: 'W', danger: 'D' };
const source: WebSource = { targets: {}, words, siteUrl: '/sites/acme/docs', direction: 'ltr', opensNewWindow: false };

const printed = async (markdown: string, given: Partial<WebSource> = {}) =>
  (await printDocument(parse(markdown), { ...source, ...given })).html;

/** All elements as a browser reads them. */
function elementsIn(text: string): Element[] {
  const root = unified().use(rehypeParse, { fragment: true }).parse(text) as Root;
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
      const { back, ink } = solid(wanted);
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
