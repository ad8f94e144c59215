import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { edit, gitServer, markdownAt, newSpace, pageAt, pagesIn, sync } from './arrange.ts';

const { admin, organizationId } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const server = await gitServer();

const LARGE = `---
icon: rocket
---

# Large

See [b](b.md).

${'A line of a text that goes on and on.\n\n'.repeat(32_000)}`;

const FILES = {
  'README.md': '# Home\n\nText.\n\n{% include ".gitbook/includes/all.md" %}\n',
  'large.md': LARGE,
  'b.md': '# B\n\nSee [large](large.md).\n',
  '.gitbook/includes/all.md': LARGE,
  'SUMMARY.md': '* [Home](README.md)\n* [Large](large.md)\n* [B](b.md)\n',
};

let names = 0;
async function imported() {
  const repository = await server.repository(`large-${names++}`);
  await repository.commit(FILES);
  const spaceId = await newSpace(admin, organizationId);
  const importing = () => sync(admin, spaceId, 'import', { url: repository.url });
  const run = await importing();
  expect(run).toMatchObject({ status: 'completed' });
  const exported = async () => {
    const done = await sync(admin, spaceId, 'export', { url: repository.url });
    expect(done, JSON.stringify(done)).toMatchObject({ status: 'completed' });
    return done;
  };
  return { repository, spaceId, run, importing, exported };
}

test('a page whose file is too large says so, and the file stays while the page is edited, moved and given another title', async () => {
  const { repository, spaceId, run, exported, importing } = await imported();
  expect(run.report).toContainEqual(
    expect.objectContaining({ file: 'large.md', outcome: 'kept', message: expect.stringContaining('too large') }),
  );
  expect(await markdownAt(admin, spaceId, 'large')).toContain('too large');
  expect(await exported()).toMatchObject({ filesChanged: 0 });

  const pageId = await pageAt(admin, spaceId, 'large');
  await edit(admin, spaceId, [
    { updatePage: { pageId: await pageAt(admin, spaceId, 'b'), slug: 'moved' } },
    { updatePage: { pageId, title: 'Very large', document: { markdown: 'What I wrote.' } } },
  ]);
  const done = await exported();
  expect(done.report).toContainEqual(expect.objectContaining({ file: 'large.md', outcome: 'kept' }));
  const { 'b.md': b, ...others } = FILES;
  const files = {
    ...others,
    'moved.md': b,
    'large.md': LARGE.replace('# Large', '# Very large'),
    'SUMMARY.md': '* [Home](README.md)\n* [Very large](large.md)\n* [B](moved.md)\n',
  };
  expect(await repository.files()).toEqual(files);

  await edit(admin, spaceId, [{ updatePage: { pageId, slug: 'elsewhere' } }]);
  await exported();
  const { 'large.md': text, ...rest } = files;
  expect(await repository.files()).toEqual({
    ...rest,
    'elsewhere.md': text,
    'moved.md': b.replace('large.md', 'elsewhere.md'),
    'SUMMARY.md': files['SUMMARY.md'].replace('large.md', 'elsewhere.md'),
  });

  // A change of the large file keeps what the page has, and a smaller text replaces it.
  await repository.commit({ 'elsewhere.md': `${text}More.\n` });
  await importing();
  expect(await markdownAt(admin, spaceId, 'elsewhere')).toBe('What I wrote.\n');
  await repository.commit({ 'elsewhere.md': '# Very large\n\nShort now.\n' });
  await importing();
  expect(await markdownAt(admin, spaceId, 'elsewhere')).toBe('Short now.\n');
  expect(await exported()).toMatchObject({ filesChanged: 0 });
});

test('a page whose file becomes too large keeps the text that it has, and the file stays', async () => {
  const { repository, spaceId, exported, importing } = await imported();
  await repository.commit({ 'b.md': LARGE.replace('# Large', '# B') });
  const run = await importing();
  expect(run.report).toContainEqual(expect.objectContaining({ file: 'b.md', outcome: 'kept' }));
  expect((await pagesIn(admin, spaceId)).map(({ title }) => title)).toEqual(['Home', 'Large', 'B']);
  expect(await markdownAt(admin, spaceId, 'b')).toContain('See [large]');
  expect(await exported()).toMatchObject({ filesChanged: 0 });
});

test('an included file that is too large stays as it is', async () => {
  const { repository, spaceId, run, exported } = await imported();
  expect(run.report).toContainEqual(expect.objectContaining({ file: '.gitbook/includes/all.md', outcome: 'dropped' }));
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/reusable-contents`);
  const [{ id: reusableContentId }] = body.items;
  await edit(admin, spaceId, [{ updateReusableContent: { reusableContentId, document: { markdown: 'Short.' } } }]);
  await exported();
  expect((await repository.files())['.gitbook/includes/all.md']).toBe(LARGE);
});
