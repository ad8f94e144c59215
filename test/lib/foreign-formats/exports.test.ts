import { expect, test } from 'vitest';
import { confluenceContents } from '../../../src/lib/foreign-formats/confluence.ts';
import { pageOfCsv } from '../../../src/lib/foreign-formats/csv-page.ts';
import { readEditorMarkdown } from '../../../src/lib/foreign-formats/editor-markdown.ts';
import { isNotionExport, readCallouts, withoutIds } from '../../../src/lib/foreign-formats/notion.ts';
import { readWikiLinks, wikiContents } from '../../../src/lib/foreign-formats/wiki.ts';

test.each([
  ['[[Getting started]]', '[Getting started](</Getting-started>)'],
  ['[[the port|Settings#port]]', '[the port](</Settings#port>)'],
  ['[[#here]]', '[#here](<#here>)'],
  ['[[img/a.png]]', '![](</img/a.png>)'],
  ['[[Site|https://example.com/]]', '[Site](<https://example.com/>)'],
  ['`[[code]]` and [[Page]]', '`[[code]]` and [Page](</Page>)'],
  ['```\n[[code]]\n```', '```\n[[code]]\n```'],
])('a link of a wiki: %s', (written, read) => {
  expect(readWikiLinks(written)).toBe(read);
});

test('a wiki has its home first, then its sidebar, then the rest', () => {
  const contents = wikiContents('* [[B]]\n', ['A.md', 'B.md', 'Home.md'], 'Home.md');
  expect(contents.map(({ url }) => url)).toEqual(['/Home.md', '/B', '/A.md']);
});

test('names of Notion lose their ids, unless two would be the same', () => {
  const [one, two] = ['1'.repeat(32), '2'.repeat(32)];
  const paths = [`Page ${one}.md`, `Page ${two}.md`, `Page ${one}/Tasks ${two}_all.csv`, 'Page/pixel.png'];
  expect([...withoutIds(paths).values()]).toEqual(['Page.md', 'Page 2.md', 'Page/Tasks.csv', 'Page/pixel.png']);
  expect(isNotionExport(paths)).toBe(true);
  expect(isNotionExport(['README.md', `Page ${one}.md`, 'a.md'])).toBe(false);
});

test('pages of Notion of one name keep their folders, and tables beside them', () => {
  const [one, two] = ['1', '2'].map((digit) => digit.repeat(32));
  const paths = [`Notes ${one}.md`, `Notes ${one}/X ${one}.md`, `Notes ${two}.csv`, `Notes ${two}/Y ${two}.md`];
  expect([...withoutIds(paths).values()]).toEqual(['Notes.md', 'Notes/X.md', 'Notes 2.csv', 'Notes 2/Y.md']);
});

test('a table of values is a page whose rows lead to theirs', async () => {
  const csv = 'Name,State\n"A, ""b"" | c",Open\nLinked,Done\n';
  const pageOf = (name: string) => (name === 'Linked' ? '/Tasks/Linked.md' : undefined);
  const { markdown, left } = await pageOfCsv(csv, 'Tasks', pageOf);
  expect(markdown).toBe(
    '# Tasks\n\n| Name | State |\n| --- | --- |\n| A, "b" \\| c | Open |\n| [Linked](</Tasks/Linked.md>) | Done |\n',
  );
  expect(left).toEqual({ rows: 0, columns: 0 });
  const large = await pageOfCsv(`a${',b'.repeat(59)}\n${'x\n'.repeat(1_200)}`, 'T', pageOf);
  expect(large.left).toEqual({ rows: 200, columns: 10 });
});

test('the lines of a cell stay apart', async () => {
  const { markdown } = await pageOfCsv('Name,Note\nA,"one\ntwo\r\n\r\nthree "\n', 'T', () => undefined);
  expect(markdown).toBe('# T\n\n| Name | Note |\n| --- | --- |\n| A | one<br>two<br>three |\n');
});

test('callouts of Notion are hints, in lists too, and stay text in code', () => {
  expect(readCallouts('<aside>\na\n</aside>\n\n* b\n\n    <aside>\n    c\n    </aside>\n\n```\n<aside>\n```')).toBe(
    '{% hint style="info" %}\na\n{% endhint %}\n\n* b\n\n    {% hint style="info" %}\n    c\n    {% endhint %}\n\n```\n<aside>\n```',
  );
});

test.each([
  ['![a](b 1.png)', '![a](<b 1.png>)'],
  ['[a](../b c.pdf) and [d](e "f g.h")', '[a](<../b c.pdf>) and [d](e "f g.h")'],
  ['![a](b.png " =200x")', '<img src="b.png" alt="a" width="200">'],
  ['x ==a b== y, `==c==`, d == e == f, =====', 'x <mark>a b</mark> y, `==c==`, d == e == f, ====='],
  ['[a](/doc/some-page-AbCdEf1234#h-x)', '[a](</Some.md#h-x>)'],
  ['[a](/doc/other-AbCdEf1234)', '[a](/doc/other-AbCdEf1234)'],
  ['```\n+++ a\n:::info\n![a](b 1.png)\n```', '```\n+++ a\n:::info\n![a](b 1.png)\n```'],
])('Markdown of editors: %j', (markdown, converted) => {
  const pageOf = (slug: string) => (slug === 'some-page' ? '/Some.md' : undefined);
  expect(readEditorMarkdown(markdown, pageOf)).toBe(converted);
});

test('a table with a broken row has the rows before it, and other work runs while a large one is read', async () => {
  const pageOf = () => undefined;
  const broken = `a\nb\n"${'c\n'.repeat(100_000)}`;
  expect(await pageOfCsv(broken, 'T', pageOf)).toEqual({
    markdown: '# T\n\n| a |\n| --- |\n| b |\n',
    left: { rows: 0, columns: 0 },
    broken: { line: expect.any(Number), reason: 'is not CSV' },
  });
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await pageOfCsv('a,b,c\n'.repeat(100_000), 'T', pageOf);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
});

test.each([
  ['empty cells', ','.repeat(10_000_000)],
  ['cells with line breaks', `"\n"${','.repeat(2_000)}`.repeat(2_000)],
])('a row of far too many %s ends the table before it is read', async (_, row) => {
  expect(await pageOfCsv(`a,b\nc,d\n${row}\ne,f\n`, 'T', () => undefined)).toEqual({
    markdown: '# T\n\n| a | b |\n| --- | --- |\n| c | d |\n',
    left: { rows: 0, columns: 0 },
    broken: { line: expect.any(Number), reason: 'has more than 1,000 cells' },
  });
});

test('the index of a Confluence export is a tree of pages', () => {
  const index = '<ul><li><a href="A_1.html">A</a><ul><li><a href="B_2.html">B</a></li></ul></li></ul>';
  expect(confluenceContents(index)).toMatchObject([
    { title: 'A', url: 'A_1.html', children: [{ title: 'B', url: 'B_2.html', children: [] }] },
  ]);
  expect(confluenceContents('<p>Nothing</p>')).toBeUndefined();
  expect(confluenceContents('<ul><li>'.repeat(100_000))).toBeUndefined();
});

test('an index with a drawing of any depth is none', () => {
  for (let depth = 500; depth < 10_000; depth += 500) {
    expect(confluenceContents(`<svg>${'<g>'.repeat(depth)}`)).toBeUndefined();
  }
});
