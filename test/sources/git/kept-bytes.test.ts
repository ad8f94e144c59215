import { expect, test } from 'vitest';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { edit, gitServer, newSpace, pageAt, pagesIn, sync } from './arrange.ts';

const { admin, organizationId } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const server = await gitServer();

let names = 0;
async function imported(files: Record<string, string>) {
  const repository = await server.repository(`kept-${names++}`);
  await repository.commit(files);
  const spaceId = await newSpace(admin, organizationId);
  expect(await sync(admin, spaceId, 'import', { url: repository.url })).toMatchObject({ status: 'completed' });
  const exported = async () => {
    const run = await sync(admin, spaceId, 'export', { url: repository.url });
    expect(run, JSON.stringify(run)).toMatchObject({ status: 'completed' });
    return run;
  };
  return { repository, spaceId, exported };
}

/** Edits the Markdown of a page as an editor shows it. */
async function rewrite(spaceId: string, path: string, from: string, to: string): Promise<void> {
  const pageId = await pageAt(admin, spaceId, path);
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=markdown`);
  const markdown = withoutTitle(body.markdown);
  expect(markdown).toContain(from);
  await edit(admin, spaceId, [{ updatePage: { pageId, document: { markdown: markdown.replace(from, to) } } }]);
}

const PAGE = `---
icon: rocket
# Written by hand
hidden: false
unknown: {b: 2, a: 1}
description: 'In quotes'
---

Title
=====

One word here.

| Name   |  Value |
|:-------|-------:|
| a      |      1 |
| longer |     22 |

+ plus
+ __bold__ and *leaning*
    + deeper

- [ ] to do
- [x] done

1) one
1) same number


A paragraph
that is wrapped\\
by hand.

<!-- a comment -->

~~~js
const a = 1;
~~~

***

Last[^1] line without an end

[^1]: A note`;

test('line ends, front matter, tables, lists and comments of a page with CRLF are kept beside an edit of its Markdown', async () => {
  const page = PAGE.replaceAll('\n', '\r\n');
  const files = { 'README.md': '# Home\n', 'page.md': page, 'SUMMARY.md': '* [Home](README.md)\n* [Title](page.md)\n' };
  const { repository, spaceId, exported } = await imported(files);
  await rewrite(spaceId, 'page', 'One word here.', 'Another word here.');
  expect(await exported()).toMatchObject({ filesChanged: 1 });
  expect(await repository.files()).toEqual({ ...files, 'page.md': page.replace('One word', 'Another word') });
});

test('a page that becomes a section in the space moves its file, and one in the branch keeps its ID; neither leaves an orphan', async () => {
  const files = {
    'README.md': '# Home\n\nSee [it](topic.md).\n',
    'topic.md': '# Topic\n\nSome *text*.\n\nA line.\n',
    'SUMMARY.md': '* [Home](README.md)\n* [Topic](topic.md)\n',
  };
  const { repository, spaceId, exported } = await imported(files);
  const topic = await pageAt(admin, spaceId, 'topic');
  await edit(admin, spaceId, [{ insertPage: { title: 'Part', parentId: topic, document: { markdown: 'Part.' } } }]);
  await exported();
  expect(await repository.files()).toEqual({
    'README.md': '# Home\n\nSee [it](topic/README.md).\n',
    'SUMMARY.md': '* [Home](README.md)\n* [Topic](topic/README.md)\n  * [Part](topic/part.md)\n',
    'topic/README.md': files['topic.md'],
    'topic/part.md': '# Part\n\nPart.\n',
  });

  const other = await imported(files);
  const before = await pageAt(admin, other.spaceId, 'topic');
  await other.repository.commit({
    'README.md': '# Home\n\nSee [it](topic/README.md).\n',
    'topic.md': null,
    'topic/README.md': files['topic.md'],
    'topic/part.md': '# Part\n',
    'SUMMARY.md': '* [Home](README.md)\n* [Topic](topic/README.md)\n  * [Part](topic/part.md)\n',
  });
  const committed = await other.repository.files();
  await sync(admin, other.spaceId, 'import', { url: other.repository.url });
  expect((await pagesIn(admin, other.spaceId)).map(({ path }) => path)).toEqual(['home', 'topic', 'topic/part']);
  expect(await pageAt(admin, other.spaceId, 'topic')).toBe(before);
  expect(await other.exported()).toMatchObject({ filesChanged: 0 });
  expect(await other.repository.files()).toEqual(committed);
});

test('the home page that .gitbook.yaml names keeps its file, and redirects beside structure are patched alone', async () => {
  const configuration =
    "# ours\r\nroot: './docs/' # folder\r\n\r\nunknown: {b: 1,   a: 2}\r\nstructure:\r\n    summary: toc.md\r\n    readme: start.md\r\nredirects:\r\n    gone: nowhere.md\r\n    old: page.md\r\n";
  const files = {
    '.gitbook.yaml': configuration,
    'docs/start.md': '# Start\n\nHello.\n',
    'docs/page.md': '# Page\n\nText.\n',
    'docs/toc.md': '# Contents\n\n- [Start](start.md)\n- [Page](page.md)\n',
    'README.md': '# Of the project, not of its documentation\n',
  };
  const { repository, spaceId, exported } = await imported(files);
  expect(await exported()).toMatchObject({ filesChanged: 0 });
  const start = await pageAt(admin, spaceId, 'start');
  await edit(admin, spaceId, [
    { updatePage: { pageId: start, title: 'Begin', slug: 'begin' } },
    { insertPage: { title: 'New', document: { markdown: 'New.' } } },
  ]);
  await exported();
  expect(await repository.files()).toEqual({
    ...files,
    'docs/start.md': '# Begin\n\nHello.\n',
    'docs/new.md': '# New\n\nNew.\n',
    'docs/toc.md': '# Contents\n\n- [Begin](start.md)\n- [Page](page.md)\n- [New](new.md)\n',
  });
  await edit(admin, spaceId, [{ updatePage: { pageId: await pageAt(admin, spaceId, 'page'), slug: 'moved' } }]);
  await exported();
  expect((await repository.files())['.gitbook.yaml']).toBe(configuration.replace('old: page.md', 'old: moved.md'));
  await edit(admin, spaceId, [{ insertPage: { title: 'Below', parentId: start, document: { markdown: 'Below.' } } }]);
  await exported();
  expect(await exported()).toMatchObject({ filesChanged: 0 });
  const ids = (await pagesIn(admin, spaceId)).map(({ id, title }) => [id, title]);
  expect(await sync(admin, spaceId, 'import', { url: repository.url })).toMatchObject({ status: 'completed' });
  expect((await pagesIn(admin, spaceId)).map(({ id, title }) => [id, title])).toEqual(ids);
});

test('a pointer of Git LFS stays a pointer while its page is edited', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
  const files = {
    'README.md': '# Home\n\nText.\n\n![](.gitbook/assets/a.png)\n',
    '.gitbook/assets/a.png': pointer,
    'SUMMARY.md': '* [Home](README.md)\n',
  };
  const { repository, spaceId, exported } = await imported(files);
  await rewrite(spaceId, 'home', 'Text.', 'More text.');
  expect(await exported()).toMatchObject({ filesChanged: 1 });
  expect(await repository.files()).toEqual({
    ...files,
    'README.md': files['README.md'].replace('Text.', 'More text.'),
  });
});

test('the cover of a page keeps its line while its position changes, and its file while the page moves', async () => {
  const files = {
    'README.md': '# Home\n',
    'guide/README.md': '# Guide\n',
    'a.md': "---\ncover: './.gitbook/assets/a.png' # ours\ncoverY: 5\n---\n\n# A\n",
    '.gitbook/assets/a.png': 'asset',
    'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide/README.md)\n* [A](a.md)\n',
  };
  const { repository, spaceId, exported } = await imported(files);
  const pageId = await pageAt(admin, spaceId, 'a');
  const { body: page } = await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}`);
  await edit(admin, spaceId, [{ updatePage: { pageId, cover: { ...page.cover, yPos: 7 } } }]);
  await exported();
  const after = files['a.md'].replace('coverY: 5', 'coverY: 7');
  expect(await repository.files()).toEqual({ ...files, 'a.md': after });
  const parentId = await pageAt(admin, spaceId, 'guide');
  await edit(admin, spaceId, [{ movePage: { pageId, parentId } }]);
  await exported();
  const moved = after.replace("'./.gitbook/assets/a.png' # ours", '../.gitbook/assets/a.png');
  expect((await repository.files())['guide/a.md']).toBe(moved);
});

test('pages of a table of contents that names a file twice or a missing one are edited and moved without losing an entry', async () => {
  const files = {
    'README.md': '# Home\n',
    'a.md': '# A\n\nText.\n',
    'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n* [A again](a.md)\n  * [Below](b.md)\n* [Missing](gone.md)\n',
    'b.md': '# Below\n',
  };
  const { repository, spaceId, exported } = await imported(files);
  await edit(admin, spaceId, [{ updatePage: { pageId: await pageAt(admin, spaceId, 'a'), slug: 'first' } }]);
  await exported();
  // The entry below the second one makes the page a section.
  const { 'a.md': text, ...others } = files;
  expect(await repository.files()).toEqual({
    ...others,
    'first/README.md': text,
    'SUMMARY.md': files['SUMMARY.md'].replaceAll('(a.md)', '(first/README.md)'),
  });
  expect(await exported()).toMatchObject({ filesChanged: 0 });
});

test('formulas of mdBook stay as they are written beside an edit of their paragraph', async () => {
  const page = 'The $\\mathbb{F}_p^\\times$ has order $a_{i}*b_{j} * c$, at $5 or $6.\n\n$$\nx_1\n$$\n\nMore $y_2$.\n';
  const files = { 'book.toml': '[preprocessor.katex]\n', 'README.md': `# Home\n\n${page}` };
  const { repository, spaceId, exported } = await imported(files);
  const [home] = await pagesIn(admin, spaceId);
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/page/${home?.id}?format=markdown`);
  expect(body.markdown).toContain('The $$\\mathbb{F}_p^\\times$$ has order $$a_{i}*b_{j} * c$$, at $5 or $6.');
  await rewrite(spaceId, home?.path ?? '', 'has order', 'has the order');
  await exported();
  expect((await repository.files())['README.md']).toBe(files['README.md'].replace('has order', 'has the order'));
  await exported();
  expect((await repository.files())['README.md']).toBe(files['README.md'].replace('has order', 'has the order'));
});

test('text between dollars without blanks is never restyled, and emphasis in Chinese and Japanese is bold', async () => {
  const page =
    '# Home\n\nThe $\\mathbb{F}_p^\\times$ has order $a_{i}*b_{j}*c$.\n\n**注意：**これは重要です。\n\nLast.\n';
  const { repository, spaceId, exported } = await imported({ 'README.md': page });
  const [home] = await pagesIn(admin, spaceId);
  await rewrite(spaceId, home?.path ?? '', 'has order', 'has rank');
  await rewrite(spaceId, home?.path ?? '', '重要です', '大切です');
  await exported();
  expect((await repository.files())['README.md']).toBe(
    page.replace('has order', 'has rank').replace('重要です', '大切です'),
  );
});
