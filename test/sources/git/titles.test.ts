import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { edit, gitServer, newSpace, pageAt, pagesIn, sync } from './arrange.ts';

const { admin, app, organizationId } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const server = await gitServer();

let names = 0;
async function imported(files: Record<string, string>) {
  const repository = await server.repository(`titles-${names++}`);
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

const titlesIn = async (spaceId: string) => (await pagesIn(admin, spaceId)).map(({ title }) => title);

/** Edits the Markdown of a page as an editor shows it. */
async function rewrite(spaceId: string, path: string, from: string, to: string): Promise<void> {
  const pageId = await pageAt(admin, spaceId, path);
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=document`);
  const document = JSON.parse(JSON.stringify(body.document).replace(from, to));
  expect(document).not.toEqual(body.document);
  await edit(admin, spaceId, [{ updatePage: { pageId, document: { document } } }]);
}

const BODY = 'Intro.\n\n# Later heading\n\nText.\n';
const TOC = '* [Home](README.md)\n* [By contents](guide.md)\n';

/** Ways in which a file that does not begin with its title gets one. */
const SOURCES: [name: string, title: string, files: Record<string, string>][] = [
  ['its table of contents', 'By contents', { 'SUMMARY.md': TOC, 'guide.md': BODY }],
  ['its front matter', 'By front matter', { 'guide.md': `---\ntitle: By front matter\n---\n${BODY}` }],
  ['its name', 'Guide', { 'guide.md': BODY }],
  ['its name below a byte order mark', 'Guide', { 'guide.md': `\uFEFF${BODY}` }],
  ['its name above another heading', 'Guide', { 'guide.md': `## Part\n\n${BODY}` }],
  ['its name below an image', 'Guide', { 'guide.md': `![](https://example.com/a.png)\n\n${BODY}` }],
  ['its name below a list', 'Guide', { 'guide.md': `* one\n\n${BODY}` }],
  ['its name with underlined headings', 'Guide', { 'guide.md': 'Intro.\n\nLater\n=====\n\nText.\n' }],
];

for (const lineEnd of ['\n', '\r\n']) {
  const called = lineEnd === '\n' ? 'LF' : 'CRLF';
  test.each(SOURCES)(
    `a file with ${called} is titled by %s, and an edit changes one line of it`,
    async (_, title, files) => {
      const written = Object.fromEntries(
        Object.entries({ 'README.md': '# Home\n', ...files }).map(([path, text]) => [
          path,
          text.replaceAll('\n', lineEnd),
        ]),
      );
      const { repository, spaceId, exported } = await imported(written);
      expect(await titlesIn(spaceId)).toEqual(['Home', title]);
      expect(await exported()).toMatchObject({ filesChanged: 0 });
      await rewrite(spaceId, 'guide', 'Text.', 'More text.');
      expect(await exported()).toMatchObject({ filesChanged: 1 });
      const guide = written['guide.md']?.replace('Text.', 'More text.');
      expect(await repository.files()).toEqual({ ...written, 'guide.md': guide });
      await sync(admin, spaceId, 'import', { url: repository.url });
      expect(await titlesIn(spaceId)).toEqual(['Home', title]);
    },
  );
}

test('a space whose titles were read from headings further down gets them back before it changes the files', async () => {
  const files = { 'README.md': '# Home\n', 'guide.md': BODY };
  const { repository, spaceId, exported } = await imported(files);
  const pageId = await pageAt(admin, spaceId, 'guide');
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=document`);
  const document = {
    ...body.document,
    nodes: body.document.nodes.filter(({ type }: { type: string }) => type === 'paragraph'),
  };
  await edit(admin, spaceId, [{ updatePage: { pageId, title: 'Later heading', document: { document } } }]);
  // As former versions have read the branch, and as a migration has left it.
  const { revision } = (await admin.get(`/v1/spaces/${spaceId}`)).body;
  const { db } = app.services;
  const of = { baseRevisionId: revision, branchRevisionId: revision };
  await db.updateTable('git_sync').set(of).where('spaceId', '=', spaceId).execute();
  await db.updateTable('git_file').set({ oid: '' }).where('spaceId', '=', spaceId).execute();
  await rewrite(spaceId, 'guide', 'Text.', 'More text.');
  await exported();
  expect(await repository.files()).toEqual({ ...files, 'guide.md': BODY.replace('Text.', 'More text.') });
  expect(await titlesIn(spaceId)).toEqual(['Home', 'Guide']);
});

test('a title below a comment is the title, and stays below it when it changes', async () => {
  const files = {
    'README.md': '<!-- ours -->\n\n<!-- and\nmore -->\n# Home\n\nText.\n',
    'SUMMARY.md': '* [Home](README.md)\n',
  };
  const { repository, spaceId, exported } = await imported(files);
  expect(await titlesIn(spaceId)).toEqual(['Home']);
  const pageId = await pageAt(admin, spaceId, 'home');
  await edit(admin, spaceId, [{ updatePage: { pageId, title: 'Start' } }]);
  await rewrite(spaceId, 'home', 'Text.', 'More text.');
  await exported();
  expect(await repository.files()).toEqual({
    'README.md': '<!-- ours -->\n\n<!-- and\nmore -->\n# Start\n\nMore text.\n',
    'SUMMARY.md': '* [Start](README.md)\n',
  });
});

test.each([
  ['the heading', 'Home\r\nof all\r\n====\r\n\r\nText.\r\n', '# Start\r\n\r\nText.\r\n'],
  [
    'the front matter',
    '---\ntitle: Home of all # ours\nicon: x\n---\nText.\n',
    '---\ntitle: Start\nicon: x\n---\nText.\n',
  ],
  ['a new heading', '\uFEFFText.\r\n', '\uFEFF# Start\r\n\r\nText.\r\n'],
])('a new title is written to %s, without a table of contents where there was none', async (_, before, after) => {
  const files = { 'README.md': before, 'guide.md': '# Guide\n' };
  const { repository, spaceId, exported } = await imported(files);
  const [home] = await pagesIn(admin, spaceId);
  await edit(admin, spaceId, [{ updatePage: { pageId: home?.id, title: 'Start' } }]);
  expect(await exported()).toMatchObject({ filesChanged: 1 });
  expect(await repository.files()).toEqual({ ...files, 'README.md': after });
  expect(await exported()).toMatchObject({ filesChanged: 0 });
  await sync(admin, spaceId, 'import', { url: repository.url });
  expect(await titlesIn(spaceId)).toEqual(['Start', 'Guide']);
});

test('a body that comes to begin with a heading gets the title above it', async () => {
  const files = { 'README.md': '# Home\n', 'guide.md': BODY, 'SUMMARY.md': TOC };
  const { repository, spaceId, exported } = await imported(files);
  const pageId = await pageAt(admin, spaceId, 'guide');
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=document`);
  const document = { ...body.document, nodes: body.document.nodes.slice(1) };
  await edit(admin, spaceId, [{ updatePage: { pageId, document: { document } } }]);
  await exported();
  expect(await repository.files()).toEqual({ ...files, 'guide.md': '# By contents\n\n# Later heading\n\nText.\n' });
  expect(await exported()).toMatchObject({ filesChanged: 0 });
  await sync(admin, spaceId, 'import', { url: repository.url });
  expect(await titlesIn(spaceId)).toEqual(['Home', 'By contents']);
});

test('a file with both line ends keeps those of the lines that were not edited', async () => {
  const files = {
    'README.md': '# Home\r\n\nIntro.\n\n# Later heading\r\n\r\n* one\r\n* two\n* three\r\n\nText.\r\nWrapped.\n',
  };
  const { repository, spaceId, exported } = await imported(files);
  await rewrite(spaceId, 'home', 'three', 'four');
  await exported();
  expect(await repository.files()).toEqual({ 'README.md': files['README.md'].replace('three', 'four') });
});
