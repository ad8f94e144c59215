import { expect, test } from 'vitest';
import type { ContentRef } from '../../../src/lib/document/content-ref.ts';
import type { JSONDocument } from '../../../src/lib/document/document.ts';
import { type PatchOptions, patchMarkdown } from '../../../src/lib/document/markdown/patch/patch-markdown.ts';
import { parse } from './markdown-round-trip.ts';

/** The document with a text replaced wherever it occurs. */
function edited(document: JSONDocument, from: string, to: string): JSONDocument {
  const replaced = (name: string, value: unknown) =>
    name === 'text' || name === 'page' ? String(value).replaceAll(from, to) : value;
  return JSON.parse(JSON.stringify(document, replaced));
}

/** The patch of a text for an edit of one word. */
function edit(source: string, from: string, to: string, options: PatchOptions = {}): string {
  return patchMarkdown(source, edited(parse(source), from, to), options);
}

test.each([
  ['soft wraps', 'one two\nthree four\n\n\nlast\n', 'last', 'end', 'one two\nthree four\n\n\nend\n'],
  ['bullets', '- a\n- b\n\n+ c\n+ d\n', 'c', 'x', '- a\n- b\n\n+ x\n+ d\n'],
  ['the other items of a list', '-   a\n-   *b*\n    more\n-   c\n', 'c', 'x', '-   a\n-   *b*\n    more\n-   x\n'],
  ['nested items', '* a\n  - b\n  - _c_\n* d\n', 'b', 'x', '* a\n  - x\n  - _c_\n* d\n'],
  ['checks', '- [x] a\n- [ ] b\n', 'b', 'x', '- [x] a\n- [ ] x\n'],
  ['numbers', '3. a\n3. b\n3. c\n', 'b', 'x', '3. a\n3. x\n3. c\n'],
  ['underlined headings', 'One\n===\n\nTwo\n---\n\ntext\n', 'Two', 'Three', 'One\n===\n\nThree\n-----\n\ntext\n'],
  ['headings followed by text', '# a\ntext\n## b\nmore\n', 'text', 'x', '# a\nx\n## b\nmore\n'],
  ['the sign of emphasis', '*a* b\n\nc *d*\n', 'c ', 'x ', '*a* b\n\nx *d*\n'],
  ['the sign of strong text', '__a__ b\n\nc __d__\n', 'c ', 'x ', '__a__ b\n\nx __d__\n'],
  ['hard breaks', 'a  \nb\n\nc  \nd\n', 'c', 'x', 'a  \nb\n\nx  \nd\n'],
  ['fences', '~~~js\na\nb\n~~~\n', 'b', 'x', '~~~js\na\nx\n~~~\n'],
  ['entities', 'a &copy; b\n\nc\n', 'c', 'x', 'a &copy; b\n\nx\n'],
  ['notes before a colon', 'a[^1]: b\n\n[^1]: note\n\nc\n', 'c', 'x', 'a[^1]: b\n\n[^1]: note\n\nx\n'],
  ['comments', 'a\n\n<!-- note -->\n\nb\n', 'b', 'x', 'a\n\n<!-- note -->\n\nx\n'],
  ['definitions', '[a][1] b\n\n[1]: http://a.b\n\nc\n', 'c', 'x', '[a][1] b\n\n[1]: http://a.b\n\nx\n'],
  ['tabs and spaces at ends', 'a \t\n \t\nb\n\t\nc', 'b', 'x', 'a \t\n \t\nx\n\t\nc'],
  ['windows line ends', 'a\r\n\r\nb\r\nc\r\n\r\nd', 'd', 'x', 'a\r\n\r\nb\r\nc\r\n\r\nx'],
  [
    'other cells of a table',
    '| a  |  b |\n|:---|:--:|\n| *c* | d |\n| e | f |\n',
    'd',
    'x',
    '| a  |  b |\n|:---|:--:|\n| *c* | x |\n| e | f |\n',
  ],
  ['rows without outer bars', '|a|b|\n|-|-|\n|c|d|\n|e|f|\n', 'f', 'xyz', '|a|b|\n|-|-|\n|c|d|\n|e|xyz|\n'],
  [
    'lines of anchors',
    '## a\n<a id="b"></a>\n<a name="c"></a>\n\nmore\n',
    'more',
    'x',
    '## a\n<a id="b"></a>\n<a name="c"></a>\n\nx\n',
  ],
  ['quotations', '> *a*\n>\n> b\n', 'b', 'x', '> *a*\n>\n> x\n'],
  [
    'hints',
    '{% hint style="info" %}\n*a*\n\nb\n{% endhint %}\n',
    'b',
    'x',
    '{% hint style="info" %}\n*a*\n\nx\n{% endhint %}\n',
  ],
  [
    'other tabs',
    '{% tabs %}\n{% tab title="A" %}\n+ a\n{% endtab %}\n{% tab title="B" %}\n*b*\n\nc\n{% endtab %}\n{% endtabs %}\n',
    'c',
    'x',
    '{% tabs %}\n{% tab title="A" %}\n+ a\n{% endtab %}\n{% tab title="B" %}\n*b*\n\nx\n{% endtab %}\n{% endtabs %}\n',
  ],
  [
    'expandables',
    '<details>\n<summary>A</summary>\n\n*b*\n\nc\n\n</details>\n',
    'c',
    'x',
    '<details>\n<summary>A</summary>\n\n*b*\n\nx\n\n</details>\n',
  ],
  ['nested emphasis', 'a ***b*** c\n', 'c', 'x', 'a ***b*** x\n'],
  ['the signs of an edited word', 'a ***b*** c\n', 'b', 'x', 'a ***x*** c\n'],
  ['escaped signs', 'see \\(b\\) and c\n', 'and', 'or', 'see \\(b\\) or c\n'],
  [
    'formulas',
    '$\\mathbb{F}_p^\\times$ has order $a_{i}*b_{j}*c$\n',
    'order',
    'size',
    '$\\mathbb{F}_p^\\times$ has size $a_{i}*b_{j}*c$\n',
  ],
  ['titles of links', '[b](c "d") and e\n', 'e', 'x', '[b](c "d") and x\n'],
  ['titles of links with another text', '[b](c "d") and e\n', 'b', 'x', '[x](c "d") and e\n'],
  [
    'the line breaks before a deleted word',
    'one two\nthree four\nfive six\n',
    ' four',
    '',
    'one two\nthree\nfive six\n',
  ],
  ['the line breaks after a deleted word', 'one two\nthree\nfive six\n', ' five', '', 'one two\nthree\nsix\n'],
  ['emphasis in headings', '### ***a*** b ###\n', 'b', 'x', '### ***a*** x ###\n'],
  ['emphasis in items', '- a ***b***\n  c\n- d\n', 'c', 'x', '- a ***b***\n  x\n- d\n'],
  [
    'emphasis in cells',
    '| a | b |\n|---|---|\n| ***c*** d | $e_f$ |\n',
    'd',
    'x',
    '| a | b |\n|---|---|\n| ***c*** x | $e_f$ |\n',
  ],
  ['HTML and entities', 'a &copy; <b>b</b> &mdash; c\n', 'c', 'x', 'a &copy; <b>b</b> &mdash; x\n'],
  [
    'references',
    '[a][1] b[^n]\n\n[1]: c "d"\n\n[^n]: note\n',
    ' b',
    ' x',
    '[a][1] x[^n]\n\n[1]: c "d"\n\n[^n]: note\n',
  ],
  ['characters beside an edit', '一二 ***三*** 四五\n', '五', '六', '一二 ***三*** 四六\n'],
])('an edit keeps %s', (_, source, from, to, expected) => {
  expect(edit(source, from, to)).toBe(expected);
});

test('an edited paragraph is wrapped like the text, and keeps the lines before and after the edit', () => {
  const line = 'words that fill a line up to its end and then some more';
  const source = `${line}\n${line}\nold ${line}\n${line}\n`;
  expect(edit(source, 'old', 'new')).toBe(`${line}\n${line}\nnew ${line}\n${line}\n`);
});

test('lines before an edit stay, also those that begin with code or with what would begin a block elsewhere', () => {
  const lines = ['words that fill a line up to its end and then some more, such as', '`code` and 2. words that go on'];
  const source = `${lines.join('\n')}\nold\n`;
  expect(edit(source, 'old', 'new')).toBe(`${lines.join('\n')}\nnew\n`);
});

test('new blocks are printed in the style of the text, or else in the form of GitBook', () => {
  const table = '| a | b |\n|---|---|\n| long cell | c |\n';
  const added = (source: string, block: string): string => {
    const document = parse(source);
    return patchMarkdown(source, { ...document, nodes: [...document.nodes, ...parse(block).nodes] });
  };
  expect(added('text\n', table)).toBe('text\n\n| a         | b   |\n| --------- | --- |\n| long cell | c   |\n');
  expect(added('text\n', 'a snake_case name')).toBe('text\n\na snake\\_case name\n');
  expect(added('a snake_case name\n', 'another snake_case name')).toBe(
    'a snake_case name\n\nanother snake_case name\n',
  );
  expect(added('- a\n\ntext\n', '* b')).toBe('- a\n\ntext\n\n- b\n');
  expect(added('- a\n', '# c\n* b')).toBe('- a\n\n# c\n\n- b\n');
});

test('a list next to another list keeps apart from it', () => {
  const source = '- a\n\ntext\n';
  const document = parse(source);
  const lists = [...document.nodes.slice(0, 1), ...parse('* b').nodes];
  const patched = patchMarkdown(source, { ...document, nodes: lists });
  expect(parse(patched).nodes).toHaveLength(2);
  expect(patched.startsWith('- a\n')).toBe(true);
});

test('a block that is removed takes only its own lines with it', () => {
  const source = 'a\n\n\nb\n\n<!-- c -->\n\n\nd\n';
  const document = parse(source);
  const nodes = document.nodes.filter((node) => !JSON.stringify(node).includes('"b"'));
  expect(patchMarkdown(source, { ...document, nodes })).toBe('a\n\n<!-- c -->\n\n\nd\n');
});

test('in kept blocks, only destinations change', () => {
  const source = 'see *this*\n[page](<old.md> "title") and\n[it](old.md), ![i](a.png)\n';
  const pages = new Map([['old.md', 'page_1']]);
  const options: PatchOptions = {
    resolveLink: (url) => (pages.has(url) ? { kind: 'page', page: pages.get(url) ?? '' } : undefined),
    linkTo: (ref) => (ref.kind === 'page' ? '../new (1).md' : undefined),
  };
  expect(patchMarkdown(source, parse(source, options), options)).toBe(
    'see *this*\n[page](<../new (1).md> "title") and\n[it](<../new (1).md>), ![i](a.png)\n',
  );
});

test('a link to another page is a change of its destination alone', () => {
  const source = '* *see* [page](page:page_1)\n* other\n';
  const document = edited(parse(source), 'page_1', 'page_2');
  expect(patchMarkdown(source, document)).toBe('* *see* [page](page:page_2)\n* other\n');
  expect(parse(patchMarkdown(source, document)).nodes).toHaveLength(1);
});

test('links in a changed block keep their URLs while those lead to the same target', () => {
  const source = 'old [page](./old.md)\n';
  const ref: ContentRef = { kind: 'page', page: 'page_1' };
  const options: PatchOptions = {
    resolveLink: (url) => (url === './old.md' ? ref : undefined),
    linkTo: (_, written) => written ?? 'moved.md',
  };
  const patched = patchMarkdown(source, edited(parse(source, options), 'old ', 'new '), options);
  expect(patched).toBe('new [page](./old.md)\n');
});

test('URLs in attributes and tags are replaced as well, but not in code', () => {
  const source = '<figure><img src="file:f_1" alt=""></figure>\n\n`[a](file:f_1)` [a](b)\n';
  const document = JSON.parse(JSON.stringify(parse(source)).replace('"file":"f_1"', '"file":"f_2"'));
  expect(patchMarkdown(source, document)).toBe(source.replace('file:f_1', 'file:f_2'));
});

test('footnotes stay with the text that refers to them', () => {
  const source = 'a[b](#user-content-fn-1)[^1]\n\nc\n\n[^1]: *note*\n';
  expect(edit(source, 'c', 'x')).toBe('a[b](#user-content-fn-1)[^1]\n\nx\n\n[^1]: *note*\n');
  const [, last] = parse(source).nodes;
  expect(patchMarkdown(source, { ...parse(source), nodes: last ? [last] : [] })).toBe('c\n');
});

test('a document for an empty text is printed', () => {
  expect(patchMarkdown('', parse('a'))).toBe('a\n');
  expect(patchMarkdown('a\n', parse(''))).toBe('');
});

test('text takes the place of an empty paragraph', () => {
  const document = parse('<p></p>\n\nb\n');
  const [text] = parse('a\n').nodes;
  if (!text) throw new Error('no paragraph');
  const filled = { ...document, nodes: document.nodes.with(0, text) };
  expect(patchMarkdown('<p></p>\n\nb\n', filled)).toBe('a\n\nb\n');
});
