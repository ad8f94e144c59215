import { expect, test } from 'vitest';
import { inSpace } from '../../../src/lib/document/in-space.ts';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { relativeLink } from '../../../src/lib/document/relative-link.ts';

test.each([
  ['guide/intro', 'guide/setup', undefined, 'setup.md'],
  ['guide/intro', 'guide', undefined, '../guide.md'],
  ['intro', 'guide/setup', undefined, 'guide/setup.md'],
  ['guide', 'guide/setup', 'first', 'guide/setup.md#first'],
  ['a/b/c', 'x/y', undefined, '../../x/y.md'],
  ['guide', 'guide', 'here', '#here'],
  ['guide', 'guide', undefined, 'guide.md'],
])('from %s to %s', (from, to, anchor, link) => {
  expect(relativeLink(from, to, anchor)).toBe(link);
});

test('a document in another space names its own', () => {
  const { document } = parseMarkdown(
    '[a](page:p) [b](page:p#x) [c](#x) [d](space:other/page:p) ![e](file:f) <https://x.y>',
  );
  expect(printMarkdown(inSpace(document, 'home'))).toBe(
    '[a](space:home/page:p) [b](space:home/page:p#x) [c](#x) [d](space:other/page:p) ![e](space:home/file:f) <https://x.y>\n',
  );
});
