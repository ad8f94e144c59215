import { expect, test } from 'vitest';
import type { ContentRef } from '../../../src/lib/document/content-ref.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { referencesOf } from '../../../src/lib/document/references.ts';
import { refOfUrl, stableUrl } from '../../../src/lib/document/stable-url.ts';
import { parse } from './markdown-round-trip.ts';

const forms: [string, ContentRef][] = [
  ['page:p', { kind: 'page', page: 'p' }],
  ['space:s/page:p', { kind: 'page', page: 'p', space: 's' }],
  ['page:p#a', { kind: 'anchor', anchor: 'a', page: 'p' }],
  ['space:s/page:p#a', { kind: 'anchor', anchor: 'a', page: 'p', space: 's' }],
  ['space:s#a', { kind: 'anchor', anchor: 'a', space: 's' }],
  ['#a', { kind: 'anchor', anchor: 'a' }],
  ['#größe%20x', { kind: 'anchor', anchor: 'größe x' }],
  ['#', { kind: 'anchor', anchor: '' }],
  ['file:f', { kind: 'file', file: 'f' }],
  ['space:s/file:f', { kind: 'file', file: 'f', space: 's' }],
  ['user:u', { kind: 'user', user: 'u' }],
  ['collection:c', { kind: 'collection', collection: 'c' }],
  ['space:s', { kind: 'space', space: 's' }],
  ['openapi:a%20b', { kind: 'openapi', spec: 'a b' }],
  ['reusable:r', { kind: 'reusable-content', reusableContent: 'r' }],
  ['tag:t', { kind: 'tag', tag: 't' }],
  ['https://a.b/page:p', { kind: 'url', url: 'https://a.b/page:p' }],
  ['url:page:p', { kind: 'url', url: 'page:p' }],
  ['url:url:x', { kind: 'url', url: 'url:x' }],
  ['url:#a', { kind: 'url', url: '#a' }],
  ['file:///etc', { kind: 'url', url: 'file:///etc' }],
  ['page:', { kind: 'url', url: 'page:' }],
  ['page:%zz', { kind: 'url', url: 'page:%zz' }],
  ['page:%00', { kind: 'url', url: 'page:%00' }],
  ['user:u#a', { kind: 'url', url: 'user:u#a' }],
];

test.each(forms)('%s is the stable form of a reference', (url, ref) => {
  expect(stableUrl(ref)).toBe(url);
  expect(refOfUrl(url)).toEqual(ref);
});

test('an anchor with U+0000, which cannot be stored, stays as written', () => {
  expect(refOfUrl('#a%00b')).toEqual({ kind: 'anchor', anchor: 'a%00b' });
});

const markdown = `[a](a.md) ![b](b.png) [c](c.md "mention")

![d](d.png)

{% file src="e.pdf" %}

{% content-ref url="f.md" %}
[f.md](f.md)
{% endcontent-ref %}

{% include "g.md" %}

<table data-view="cards">
<thead><tr><th></th><th data-type="content-ref"></th></tr></thead>
<tbody>
<tr><td>h</td><td><a href="h.md">h.md</a></td></tr>
</tbody>
</table>
`;

const pages: Record<string, ContentRef> = {
  'a.md': { kind: 'page', page: 'a' },
  'b.png': { kind: 'file', file: 'b' },
  'c.md': { kind: 'page', page: 'c' },
  'd.png': { kind: 'file', file: 'd' },
  'e.pdf': { kind: 'file', file: 'e' },
  'f.md': { kind: 'page', page: 'f' },
  'g.md': { kind: 'reusable-content', reusableContent: 'g' },
  'h.md': { kind: 'page', page: 'h' },
};

test('addresses are resolved by their kind and printed back', () => {
  const kinds: [string, string][] = [];
  const document = parse(markdown, {
    resolveLink: (url, kind) => {
      kinds.push([url, kind]);
      return pages[url];
    },
  });
  expect(kinds).toEqual([
    ...[
      ['a.md', 'link'],
      ['b.png', 'image'],
      ['c.md', 'link'],
      ['d.png', 'image'],
      ['e.pdf', 'file'],
    ],
    ...[
      ['f.md', 'content-ref'],
      ['g.md', 'include'],
      ['h.md', 'link'],
    ],
  ]);
  expect(referencesOf(document).map(({ ref }) => ref)).toEqual(Object.values(pages));
  const linkTo = (ref: ContentRef) => {
    return Object.keys(pages).find((url) => JSON.stringify(pages[url]) === JSON.stringify(ref));
  };
  expect(printMarkdown(document, { linkTo })).toBe(markdown.replace('[c](c.md', '[c.md](c.md'));
});

test('unresolved references fall back to stable forms and URLs', () => {
  const document = parse('[a](page:p) [b](b.md)', { resolveLink: () => undefined });
  expect(referencesOf(document).map(({ ref }) => ref)).toEqual([
    { kind: 'page', page: 'p' },
    { kind: 'url', url: 'b.md' },
  ]);
});

test('a reference printed as a URL of another kind keeps its text', () => {
  const document = parse('[a](page:p)');
  expect(printMarkdown(document, { linkTo: () => 'docs/a (1).md' })).toBe('[a](<docs/a (1).md>)\n');
});
