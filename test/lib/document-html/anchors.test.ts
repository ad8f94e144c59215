import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anchorIds } from '../../../src/lib/document/anchors.ts';
import type { JSONDocument } from '../../../src/lib/document/document.ts';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { normalizeDocument } from '../../../src/lib/document/normalize.ts';
import { validateDocument } from '../../../src/lib/document/validate.ts';
import { printDocument } from '../../../src/lib/document-html/document-html.ts';
import { anyBlocks } from '../document/arbitrary-document.ts';
import { parse } from '../document/markdown-round-trip.ts';

const words = { linkTo: 'Link to', done: 'done', open: 'open', info: 'I', success: 'S', warning: 'W', danger: 'D' };
const source = { targets: {}, words, siteUrl: '/sites/acme/docs', opensNewWindow: false, direction: 'ltr' } as const;

/** The ids of the elements that show a document, in their order. */
async function idsIn(document: JSONDocument): Promise<string[]> {
  const { html } = await printDocument(document, source);
  return [...html.matchAll(/<[^<>]* id="([^"]*)"/g)].map(([, id = '']) =>
    id.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
  );
}

test('every anchor that links may use leads to an element, and each id is there once', async () => {
  await fc.assert(
    fc.asyncProperty(anyBlocks, async (nodes) => {
      const result = validateDocument({ object: 'document', data: {}, nodes });
      if ('issues' in result) throw new Error(JSON.stringify(result.issues));
      const { document } = result;
      const isShown = !JSON.stringify(document).includes('"type":"if"');
      const ids = await idsIn(document);
      expect(new Set(ids).size).toBe(ids.length);
      if (isShown) expect(ids).toEqual(expect.arrayContaining([...new Set(anchorIds(document).values())]));
      const tidy = normalizeDocument(documentOf(document.nodes));
      if (isShown) expect(await idsIn(tidy)).toEqual(expect.arrayContaining([...new Set(anchorIds(tidy).values())]));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['* <a id="x"></a>item\n* other', '<li><div><span id="x"></span>item</div></li>'],
  ['| <a id="x"></a>cell | b |\n| --- | --- |\n| <a id="y"></a>c | d |', '<span id="y"></span>c'],
  ['{% stepper %}\n{% step %}\n<a id="x"></a>Step\n{% endstep %}\n{% endstepper %}', '<span id="x"></span>'],
  ['<details><summary><a id="x"></a>More</summary>\n\nText\n\n</details>', 'id="x"'],
])('the anchor in %j is in its place', async (markdown, expected) => {
  const { html } = await printDocument(parse(markdown), source);
  expect(html).toContain(expected);
});
