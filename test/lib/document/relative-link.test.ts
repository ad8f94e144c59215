import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { qualifyReferences } from '../../../src/lib/document/qualify-references.ts';
import { pathsOfLink, relativeLink } from '../../../src/lib/document/relative-link.ts';

test.each([
  ['guide/intro', 'guide/setup', undefined, 'setup.md'],
  ['guide/intro', 'guide', undefined, '../guide.md'],
  ['intro', 'guide/setup', undefined, 'guide/setup.md'],
  ['guide', 'guide/setup', 'first', 'guide/setup.md#first'],
  ['a/b/c', 'x/y', undefined, '../../x/y.md'],
  ['guide', 'guide', 'here', 'guide.md#here'],
  ['guide', 'a: b#c?d%20e', '100% sure', './a:%20b%23c%3Fd%2520e.md#100%25%20sure'],
  ['guide', 'guide', undefined, 'guide.md'],
])('from %s to %s', (from, to, anchor, link) => {
  expect(relativeLink(from, to, anchor)).toBe(link);
});

const slug = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('.', '%', '#', '?', ':', ' ', 'é', '🙂', 'md'),
      fc.string({ unit: 'grapheme-ascii' }),
    ),
    minLength: 1,
  })
  .map((text) => text.replace(/[/\p{Cc}]/gu, '').normalize('NFC'))
  .filter((text) => text !== '' && !/^\.{1,2}$/.test(text));
const path = fc.array(slug, { minLength: 1, maxLength: 5 }).map((slugs) => slugs.join('/'));

test('every path is read from the link to it, whatever is in its slugs', () => {
  fc.assert(
    fc.property(path, path, fc.option(slug, { nil: undefined }), (from, to, anchor) => {
      const [link = '', fragment] = relativeLink(from, to, anchor).split('#');
      expect(link).not.toMatch(/^[a-z][a-z0-9+.-]*:|^\/|[?\s]/i);
      expect(pathsOfLink(from, link)[0]).toBe(to);
      if (anchor !== undefined) expect(decodeURIComponent(fragment ?? '')).toBe(anchor.split('#')[0]);
    }),
  );
});

test.each([
  ['guide/intro', 'setup.md', ['guide/setup', 'guide/setup.md']],
  ['guide/intro', './setup', ['guide/setup']],
  ['guide/intro', '../guide/', ['guide']],
  ['guide/intro', '/setup.md', ['setup', 'setup.md']],
  ['guide/intro', '../../setup.md', []],
  ['guide/intro', '..', []],
  ['guide/intro', '.md', ['guide/.md']],
  ['guide/intro', '100%25', ['guide/100%']],
  ['guide/intro', '100%', ['guide/100%']],
  ['', 'setup.md', ['setup', 'setup.md']],
])('from %s, %s may be %j', (from, link, paths) => {
  expect(pathsOfLink(from, link)).toEqual(paths);
});

test('a document in another space names its own', () => {
  const { document } = parseMarkdown(
    '[a](page:p) [b](page:p#x) [c](#x) [d](space:other/page:p) ![e](file:f) <https://x.y>',
  );
  expect(printMarkdown(qualifyReferences(document, 'home'))).toBe(
    '[a](space:home/page:p) [b](space:home/page:p#x) [c](#x) [d](space:other/page:p) ![e](space:home/file:f) <https://x.y>\n',
  );
});
