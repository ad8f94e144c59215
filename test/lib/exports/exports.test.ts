import { expect, test } from 'vitest';
import { confluenceContents } from '../../../src/lib/exports/confluence.ts';
import { pageOfCsv } from '../../../src/lib/exports/csv-page.ts';
import { isNotionExport, withoutIds } from '../../../src/lib/exports/notion.ts';
import { readWikiLinks, wikiContents } from '../../../src/lib/exports/wiki.ts';

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
  expect([...withoutIds(paths).values()]).toEqual(['Page.md', `Page ${two}.md`, 'Page/Tasks.csv', 'Page/pixel.png']);
  expect(isNotionExport(paths)).toBe(true);
  expect(isNotionExport(['README.md', `Page ${one}.md`, 'a.md'])).toBe(false);
});

test('a table of values is a page whose rows lead to theirs', () => {
  const csv = 'Name,State\n"A, ""b"" | c",Open\nLinked,Done\n';
  const { markdown, left } = pageOfCsv(csv, 'Tasks', (name) => (name === 'Linked' ? '/Tasks/Linked.md' : undefined));
  expect(markdown).toBe(
    '# Tasks\n\n| Name | State |\n| --- | --- |\n| A, "b" \\| c | Open |\n| [Linked](</Tasks/Linked.md>) | Done |\n',
  );
  expect(left).toBe(0);
  expect(pageOfCsv(`a\n${'x\n'.repeat(1_200)}`, 'T', () => undefined).left).toBe(200);
});

test('the index of a Confluence export is a tree of pages', () => {
  const index = '<ul><li><a href="A_1.html">A</a><ul><li><a href="B_2.html">B</a></li></ul></li></ul>';
  expect(confluenceContents(index)).toMatchObject([
    { title: 'A', url: 'A_1.html', children: [{ title: 'B', url: 'B_2.html', children: [] }] },
  ]);
  expect(confluenceContents('<p>Nothing</p>')).toBeUndefined();
  expect(confluenceContents('<ul><li>'.repeat(100_000))).toBeUndefined();
});
