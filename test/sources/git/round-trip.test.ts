import { expect, test } from 'vitest';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { edit, gitServer, markdownAt, newSpace, pageAt, pagesIn, sync } from './arrange.ts';

const { admin, creator, organizationId } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const server = await gitServer();

const FILES = {
  'README.md':
    '---\n# kept\ndescription: >-\n  The start\nunknown: 1\n---\n\n# Welcome\n\nSee [the guide](guide/README.md#setup) and __bold__.\n\n* one\n+ two\n',
  'SUMMARY.md':
    '# Table of contents\n\n- [Welcome](README.md)\n\n## Guides\n\n- [Guide](guide/README.md)\n   - [Set up](guide/setup.md "Setup")\n<!-- more -->\n- [Elsewhere](https://example.com)\n',
  'guide/README.md': 'Guide\n=====\n\n## Setup\n\nA paragraph\nthat is wrapped.\n',
  'guide/setup.md': '# Set up\r\n\r\nRun it.\r\n\r\n![](../.gitbook/assets/a.txt)\r\n',
  '.gitbook/assets/a.txt': 'asset',
  'not-listed.md': '# Not listed\n',
};

let names = 0;
const imported = async (files: Record<string, string> = FILES) => {
  const repository = await server.repository(`docs-${names++}`);
  await repository.commit(files);
  const spaceId = await newSpace(admin, organizationId);
  const run = await sync(admin, spaceId, 'import', { url: repository.url });
  expect(run).toMatchObject({ status: 'completed' });
  return { repository, spaceId, run };
};

test('imports the pages of a branch', async () => {
  const { spaceId, repository } = await imported();
  expect((await pagesIn(admin, spaceId)).map(({ title, path }) => [title, path])).toEqual([
    ['Welcome', 'welcome'],
    ['Guides', 'guides'],
    ['Guide', 'guides/guide'],
    ['Set up', 'guides/guide/setup'],
    ['Elsewhere', undefined],
  ]);
  const { body: info } = await admin.get(`/v1/spaces/${spaceId}/git/info`);
  expect(info).toMatchObject({ url: repository.url, operation: { state: 'success', direction: 'import' } });
  const { body: revision } = await admin.get(`/v1/spaces/${spaceId}/content`);
  expect(revision.git).toMatchObject({ oid: await repository.tip(), message: 'Edit\n', createdByGitBook: false });
});

test('makes no commit for an import that is exported', async () => {
  const { spaceId, repository } = await imported();
  const run = await sync(admin, spaceId, 'export', { url: repository.url });
  expect(run).toMatchObject({ status: 'completed', filesChanged: 0 });
  expect(await repository.log()).toHaveLength(1);
});

const exported = async (spaceId: string, url: string, more: object = {}) => {
  const run = await sync(admin, spaceId, 'export', { url, ...more });
  expect(run, JSON.stringify(run)).toMatchObject({ status: 'completed' });
  return run;
};

test('changes only the lines of what was edited', async () => {
  const { spaceId, repository } = await imported();
  const pageId = await pageAt(admin, spaceId, 'guides/guide/setup');
  const home = await pageAt(admin, spaceId, 'welcome');
  await edit(admin, spaceId, [
    { updatePage: { pageId, description: 'How to set up' } },
    { updatePage: { pageId: home, description: 'All there is', title: 'Hello' } },
  ]);
  expect(await exported(spaceId, repository.url, { repoCommitURL: 'https://example.com/commit/' })).toMatchObject({
    filesChanged: 3,
  });
  expect(await repository.files()).toEqual({
    ...FILES,
    'README.md': FILES['README.md']
      .replace('description: >-\n  The start\n', 'description: All there is\n')
      .replace('# Welcome', '# Hello'),
    'guide/setup.md': `---\r\ndescription: How to set up\r\n---\r\n\r\n${FILES['guide/setup.md']}`,
    'SUMMARY.md': FILES['SUMMARY.md'].replace('[Welcome]', '[Hello]'),
  });
  const [commit] = await repository.log();
  expect(commit).toMatchObject({
    message: 'Update the docs\n',
    author: { name: 'Admin', email: 'admin@acme.example' },
  });
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content`);
  expect(body.git).toMatchObject({
    oid: commit?.oid,
    createdByService: true,
    url: `https://example.com/commit/${commit?.oid}`,
  });
  expect(await exported(spaceId, repository.url)).toMatchObject({ filesChanged: 0 });
  expect(await sync(admin, spaceId, 'import', { url: repository.url })).toMatchObject({ status: 'completed' });
  expect((await pagesIn(admin, spaceId)).map(({ title }) => title)).toEqual([
    'Hello',
    'Guides',
    'Guide',
    'Set up',
    'Elsewhere',
  ]);
  expect(await exported(spaceId, repository.url)).toMatchObject({ filesChanged: 0 });
});

test('the author of a commit has no angle brackets in the name', async () => {
  const { spaceId, repository } = await imported();
  await creator.mutate(
    'updateUser',
    { userId: creator.userId, displayName: 'Ann <3 <evil@example.com>' },
    'user { id }',
  );
  await edit(admin, spaceId, [{ insertPage: { title: 'New', document: { markdown: 'Text.' } } }]);
  expect(await sync(creator, spaceId, 'export', { url: repository.url })).toMatchObject({ status: 'completed' });
  const [commit] = await repository.log();
  expect(commit?.author).toMatchObject({ name: 'Ann 3 evil@example.com', email: 'creator@acme.example' });
});

test('patches a body in the style of its file', async () => {
  const { spaceId, repository } = await imported();
  const pageId = await pageAt(admin, spaceId, 'welcome');
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=markdown`);
  const markdown = withoutTitle(body.markdown).replace('* one', '* one more');
  await edit(admin, spaceId, [{ updatePage: { pageId, document: { markdown } } }]);
  await exported(spaceId, repository.url);
  expect(await repository.files()).toEqual({
    ...FILES,
    'README.md': FILES['README.md'].replace('* one', '* one more'),
  });
});

test('keeps front matter, padding, bullets, wraps and comments beside an edit', async () => {
  const lines = [
    '---',
    'icon: rocket',
    'unknown: [1, 2]   # ours',
    'description: "Quoted"',
    'layout:',
    '  title:',
    '    visible: true',
    '---',
    '',
    'Reference',
    '=========',
    '',
    '| Name      | Kind |',
    '|:----------|-----:|',
    '| a         |    1 |',
    '| `b\\|c`    |    2 |',
    '',
    '<!-- for editors -->',
    '+ first',
    '+ second',
    '   * below',
    '',
    'A sentence that is',
    'wrapped, with __bold__ and *italic*.  ',
    'After a break.',
    '',
    'Old sentence.',
    '',
    '***',
    '',
    '1) one',
    '2) two',
    '',
    '{% hint style="info" %}',
    'Kept   as written.',
    '{% endhint %}',
    '',
    'The end.',
  ];
  const text = lines.join('\n');
  const { spaceId, repository } = await imported({ 'README.md': '# Home\n', 'reference.md': text });
  const pageId = await pageAt(admin, spaceId, 'reference');
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=document`);
  const document = structuredClone(body.document);
  const paragraph = document.nodes.find((node: object) => JSON.stringify(node).includes('Old sentence.'));
  paragraph.nodes[0].leaves[0].text = 'New sentence.';
  await edit(admin, spaceId, [{ updatePage: { pageId, document: { document } } }]);
  expect(await exported(spaceId, repository.url)).toMatchObject({ filesChanged: 1 });
  expect((await repository.files())['reference.md']).toBe(text.replace('Old sentence.', 'New sentence.'));
});

test('.gitbook.yaml stays as it was written when pages and titles change', async () => {
  const configuration =
    '# layout of our docs\r\nroot: ./docs/\r\n\r\nstructure:\r\n  readme: HOME.md   # not README\r\n  summary: toc/LIST.md\r\nother: { a: 1 }\r\n';
  const files = {
    '.gitbook.yaml': configuration,
    'docs/HOME.md': '# Home\n',
    'docs/page.md': '# Page\n\nText.\n',
    'docs/toc/LIST.md': '* [Home](../HOME.md)\n* [Page](../page.md)\n',
  };
  const { spaceId, repository } = await imported(files);
  expect(await exported(spaceId, repository.url)).toMatchObject({ filesChanged: 0 });
  const pageId = await pageAt(admin, spaceId, 'page');
  await edit(admin, spaceId, [
    { updatePage: { pageId, title: 'Renamed', slug: 'renamed' } },
    { insertPage: { title: 'Below', parentId: pageId, document: { markdown: 'New.' } } },
  ]);
  await exported(spaceId, repository.url);
  const after = await repository.files();
  expect(after['.gitbook.yaml']).toBe(configuration);
  expect(Object.keys(after).toSorted()).toEqual([
    '.gitbook.yaml',
    'docs/HOME.md',
    'docs/renamed/README.md',
    'docs/renamed/below.md',
    'docs/toc/LIST.md',
  ]);
});

test('adds, moves and deletes pages with their files and entries', async () => {
  const { spaceId, repository } = await imported();
  const setup = await pageAt(admin, spaceId, 'guides/guide/setup');
  await edit(admin, spaceId, [
    { insertPage: { title: 'Use it', parentId: setup, document: { markdown: `See [there](page:${setup}).` } } },
  ]);
  await exported(spaceId, repository.url);
  const { 'guide/setup.md': before, ...others } = FILES;
  const after = await repository.files();
  expect(after).toEqual({
    ...others,
    'guide/setup/README.md': before.replace('../.gitbook', '../../.gitbook'),
    'guide/setup/use-it.md': '# Use it\n\nSee [there](README.md).\n',
    'SUMMARY.md': FILES['SUMMARY.md'].replace(
      '   - [Set up](guide/setup.md "Setup")\n',
      '   - [Set up](guide/setup/README.md "Setup")\n      - [Use it](guide/setup/use-it.md)\n',
    ),
  });
  await edit(admin, spaceId, [{ deletePage: { pageId: await pageAt(admin, spaceId, 'guides/guide/setup/use-it') } }]);
  await exported(spaceId, repository.url);
  const { 'guide/setup/use-it.md': _, ...left } = after;
  const summary = after['SUMMARY.md']?.replace('      - [Use it](guide/setup/use-it.md)\n', '');
  expect(await repository.files()).toEqual({ ...left, 'SUMMARY.md': summary });
});

test('updates links to pages that moved', async () => {
  const { spaceId, repository } = await imported();
  const guide = await pageAt(admin, spaceId, 'guides/guide');
  await edit(admin, spaceId, [{ updatePage: { pageId: guide, slug: 'manual' } }]);
  await exported(spaceId, repository.url);
  const files = await repository.files();
  expect(Object.keys(files).sort()).toEqual([
    '.gitbook/assets/a.txt',
    'README.md',
    'SUMMARY.md',
    'guide/setup.md',
    'manual/README.md',
    'not-listed.md',
  ]);
  expect(files['README.md']).toBe(FILES['README.md'].replace('guide/README.md#setup', 'manual/README.md#setup'));
  expect(files['SUMMARY.md']).toBe(FILES['SUMMARY.md'].replace('guide/README.md', 'manual/README.md'));
  expect(await exported(spaceId, repository.url)).toMatchObject({ filesChanged: 0 });
});

test('keeps the ids of pages whose files were renamed, moved or edited', async () => {
  const { spaceId, repository } = await imported();
  const before = await pagesIn(admin, spaceId);
  await repository.commit({
    'guide/setup.md': null,
    'guide/install.md': FILES['guide/setup.md'].replace('Run it.', 'Run it now.'),
    'guide/README.md': null,
    'handbook/README.md': FILES['guide/README.md'],
    'SUMMARY.md': FILES['SUMMARY.md']
      .replace('guide/setup.md', 'guide/install.md')
      .replace('guide/README.md', 'handbook/README.md'),
  });
  await sync(admin, spaceId, 'import', { url: repository.url });
  const after = await pagesIn(admin, spaceId);
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(after.map(({ path }) => path)).toEqual([
    'welcome',
    'guides',
    'guides/handbook',
    'guides/handbook/install',
    undefined,
  ]);
  expect(await exported(spaceId, repository.url)).toMatchObject({ filesChanged: 0 });
});

test('exports a new space to an empty repository, and imports it as it was', async () => {
  const repository = await server.repository('empty');
  const spaceId = await newSpace(admin, organizationId);
  await edit(admin, spaceId, [
    { insertPage: { title: 'Start', ref: 'start', document: { markdown: 'Hello *you*.' } } },
    { insertPage: { kind: 'GROUP', title: 'More', ref: 'more' } },
    { insertPage: { title: 'One', parentId: 'more', description: 'First', ref: 'one' } },
    { insertPage: { title: 'Two', parentId: 'one', hidden: true } },
    {
      insertPage: {
        kind: 'LINK',
        title: 'Out',
        parentId: 'more',
        target: { kind: 'url', url: 'https://example.com/a_b' },
      },
    },
    { setVariables: { variables: { version: '1.0' } } },
  ]);
  await exported(spaceId, repository.url);
  expect(await repository.files()).toEqual({
    '.gitbook/vars.yaml': 'version: "1.0"\n',
    'README.md': '# Start\n\nHello _you_.\n',
    'SUMMARY.md':
      '# Table of contents\n\n* [Start](README.md)\n\n## More\n\n* [One](more/one/README.md)\n  * [Two](more/one/two.md)\n* [Out](https://example.com/a_b)\n',
    'more/one/README.md': '---\ndescription: First\n---\n\n# One\n\n',
    'more/one/two.md': '---\nhidden: true\n---\n\n# Two\n\n',
  });
  const before = await pagesIn(admin, spaceId);
  await sync(admin, spaceId, 'import', { url: repository.url });
  expect(await pagesIn(admin, spaceId)).toEqual(before);
  expect(await exported(spaceId, repository.url)).toMatchObject({ filesChanged: 0 });
  const other = await newSpace(admin, organizationId);
  await sync(admin, other, 'import', { url: repository.url });
  expect((await pagesIn(admin, other)).map(({ title, path }) => [title, path])).toEqual(
    before.map(({ title, path }) => [title, path]),
  );
});

test('uses the project directory, and leaves everything else in the branch alone', async () => {
  const repository = await server.repository('monorepo');
  await repository.commit({
    'src/main.ts': 'code',
    'docs/README.md': '# Docs\n\nSee [code](../src/main.ts).\n',
    'docs/page.md': '# Page\n',
  });
  const spaceId = await newSpace(admin, organizationId);
  const more = { url: repository.url, repoProjectDirectory: '/docs/', repoTreeURL: 'https://example.com/tree/main' };
  await sync(admin, spaceId, 'import', more);
  const home = await pageAt(admin, spaceId, 'docs');
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/page/${home}?format=document`);
  expect(JSON.stringify(body.document)).toContain('https://example.com/tree/main/src/main.ts');
  expect(await exported(spaceId, repository.url, more)).toMatchObject({ filesChanged: 0 });
  await edit(admin, spaceId, [{ updatePage: { pageId: home, description: 'All' } }]);
  await exported(spaceId, repository.url, more);
  expect(await repository.files()).toEqual({
    'src/main.ts': 'code',
    'docs/README.md': '---\ndescription: All\n---\n\n# Docs\n\nSee [code](../src/main.ts).\n',
    'docs/page.md': '# Page\n',
  });
});

test('the redirects of .gitbook.yaml lead to their pages, and follow files that move', async () => {
  const configuration = '# kept\nredirects:\n  old/path: ./guide/setup.md # also kept\n  other: not-listed.md\n';
  const { spaceId, repository } = await imported({ ...FILES, '.gitbook.yaml': configuration });
  const pageId = await pageAt(admin, spaceId, 'guides/guide/setup');
  const found = await admin.get(`/v1/spaces/${spaceId}/content/path/old%2Fpath`);
  expect(found.body).toMatchObject({ id: pageId });
  await edit(admin, spaceId, [{ updatePage: { pageId, slug: 'begin' } }]);
  await exported(spaceId, repository.url);
  const files = await repository.files();
  expect(files['.gitbook.yaml']).toBe(configuration.replace('./guide/setup.md', './guide/begin.md'));
  expect(files['guide/begin.md']).toContain('Run it.');
});

test('keeps tags.yaml byte for byte, and writes it to other branches', async () => {
  const tags = '- tag: beta\n  label: Beta version\n  icon: flask\n- tag: new\n  label: New\n  color: $success\n';
  const repository = await server.repository('tags');
  const written = `# ours\n${tags}`;
  await repository.commit({ 'README.md': '---\ntags:\n  - tag: beta\n---\n\n# Home\n', '.gitbook/tags.yaml': written });
  const spaceId = await newSpace(admin, organizationId);
  await sync(admin, spaceId, 'import', { url: repository.url });
  expect(await exported(spaceId, repository.url)).toMatchObject({ filesChanged: 0 });
  const other = await server.repository('tags-elsewhere');
  await exported(spaceId, other.url);
  expect((await other.files())['.gitbook/tags.yaml']).toBe(tags);
  await repository.commit({ '.gitbook/tags.yaml': '- tag: new\n  label: Newest\n' });
  await sync(admin, spaceId, 'import', { url: repository.url });
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content`);
  expect(body.tags).toEqual([{ slug: 'new', label: 'Newest', color: 'default' }]);
});

test('reusable contents are files of `.gitbook/includes`, which pages include by their paths', async () => {
  const part = '---\ntitle: Part\n---\n\nShared.\n';
  const { spaceId, repository } = await imported({
    'README.md': '# Home\n\n{% include ".gitbook/includes/part.md" %}\n',
    'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n',
    '.gitbook/includes/part.md': part,
  });
  const { body: before } = await admin.get(`/v1/spaces/${spaceId}/content`);
  const [{ id, title }] = before.reusableContents;
  expect(title).toBe('Part');
  expect(await markdownAt(admin, spaceId, 'home')).toContain(id);
  expect((await exported(spaceId, repository.url)).filesChanged).toBe(0);
  await edit(admin, spaceId, [{ insertReusableContent: { title: 'Second part', document: { markdown: 'New.' } } }]);
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content`);
  const second = body.reusableContents.find((each: { title: string }) => each.title === 'Second part').id;
  const document = { markdown: `{% include "reusable:${second}" %}` };
  await edit(admin, spaceId, [{ insertPage: { title: 'Other', document } }]);
  expect((await exported(spaceId, repository.url)).filesChanged).toBe(3);
  expect(await repository.files()).toMatchObject({
    '.gitbook/includes/part.md': part,
    '.gitbook/includes/second-part.md': expect.stringContaining('New.'),
    'other.md': '# Other\n\n{% include ".gitbook/includes/second-part.md" %}\n',
  });
});
