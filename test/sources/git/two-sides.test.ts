import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { edit, gitServer, markdownAt, newSpace, pageAt, pagesIn, sync } from './arrange.ts';

const { app, admin, organizationId } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const server = await gitServer();

const FILES = {
  'README.md': '# Home\n\nFirst.\n\nSecond.\n',
  'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Other](other.md)\n',
  'other.md': '# Other\n\nText.\n',
};

let names = 0;
async function connected() {
  const repository = await server.repository(`both-${names++}`);
  await repository.commit(FILES);
  const spaceId = await newSpace(admin, organizationId);
  await sync(admin, spaceId, 'import', { url: repository.url });
  return { repository, spaceId, url: repository.url };
}

const write = async (spaceId: string, path: string, markdown: string) =>
  edit(admin, spaceId, [{ updatePage: { pageId: await pageAt(admin, spaceId, path), document: { markdown } } }]);

test('merges what changed in the branch with what changed in the space', async () => {
  const { repository, spaceId, url } = await connected();
  await write(spaceId, 'home', 'First!\n\nSecond.');
  await repository.commit({ 'README.md': FILES['README.md'].replace('Second.', 'Second?'), 'new.md': '# New\n' });
  await repository.commit({ 'SUMMARY.md': `${FILES['SUMMARY.md']}* [New](new.md)\n` });
  await sync(admin, spaceId, 'import', { url });
  expect(await markdownAt(admin, spaceId, 'home')).toBe('First!\n\nSecond?\n');
  expect((await pagesIn(admin, spaceId)).map(({ title }) => title)).toEqual(['Home', 'Other', 'New']);
  await sync(admin, spaceId, 'export', { url });
  const files = await repository.files();
  expect(files['README.md']).toBe('# Home\n\nFirst!\n\nSecond?\n');
  expect(await repository.log()).toHaveLength(4);

  const events = await app.services.db
    .selectFrom('event')
    .where('spaceId', '=', spaceId)
    .where('kind', '=', 'space_content_updated')
    .orderBy('id')
    .select('ids')
    .execute();
  const after = events.map(({ ids }) => ids.revisionId);
  expect(after).toHaveLength(3);
  expect(events.slice(1).map(({ ids }) => ids.previousRevisionId)).toEqual(after.slice(0, -1));
});

test('merges commits that the space has not seen before it exports', async () => {
  const { repository, spaceId, url } = await connected();
  await write(spaceId, 'home', 'First!\n\nSecond.');
  await repository.commit({ 'other.md': '# Other\n\nMore text.\n' });
  expect(await sync(admin, spaceId, 'export', { url })).toMatchObject({ status: 'completed', filesChanged: 1 });
  expect(await repository.files()).toEqual({
    ...FILES,
    'README.md': '# Home\n\nFirst!\n\nSecond.\n',
    'other.md': '# Other\n\nMore text.\n',
  });
  expect(await markdownAt(admin, spaceId, 'other')).toBe('More text.\n');
});

test('a contradiction becomes a change request, and everything else is synchronized', async () => {
  const { repository, spaceId, url } = await connected();
  await write(spaceId, 'home', 'First in the space.\n\nSecond.');
  await write(spaceId, 'other', 'Text of the space.');
  await repository.commit({ 'README.md': '# Home\n\nFirst in the branch.\n\nSecond in the branch.\n' });
  const run = await sync(admin, spaceId, 'export', { url });
  expect(run).toMatchObject({ status: 'completed', changeRequest: expect.any(String) });
  expect(await markdownAt(admin, spaceId, 'home')).toBe('First in the space.\n\nSecond in the branch.\n');
  expect(await repository.files()).toEqual({
    ...FILES,
    'README.md': '# Home\n\nFirst in the branch.\n\nSecond in the branch.\n',
    'other.md': '# Other\n\nText of the space.\n',
  });
  const { changeRequest } = await admin.graphql(
    'query($id: ID!) { changeRequest(id: $id) { status conflicts { nodes { id kind } } } }',
    { id: run.changeRequest },
  );
  expect(changeRequest).toMatchObject({ status: 'OPEN', conflicts: { nodes: [{ kind: 'BLOCK' }] } });

  // Nothing is overwritten while it is open.
  const again = await sync(admin, spaceId, 'export', { url });
  expect(again).toMatchObject({ filesChanged: 0, changeRequest: run.changeRequest });
  await sync(admin, spaceId, 'import', { url });
  expect(await markdownAt(admin, spaceId, 'home')).toBe('First in the space.\n\nSecond in the branch.\n');

  const [{ id: conflictId }] = changeRequest.conflicts.nodes;
  await admin.mutate(
    'resolveChangeRequestConflicts',
    { changeRequestId: run.changeRequest, resolutions: [{ conflictId, choice: 'THEIRS' }] },
    'result',
  );
  await admin.mutate('mergeChangeRequest', { changeRequestId: run.changeRequest }, 'result');
  const settled = await sync(admin, spaceId, 'export', { url });
  expect(settled).toMatchObject({ status: 'completed', filesChanged: 1 });
  expect(settled.changeRequest).toBeUndefined();
  expect((await repository.files())['README.md']).toBe('# Home\n\nFirst in the space.\n\nSecond in the branch.\n');
});

test('with force, one side wins', async () => {
  const { repository, spaceId, url } = await connected();
  await write(spaceId, 'home', 'Space.');
  await repository.commit({ 'README.md': '# Home\n\nBranch.\n' });
  await sync(admin, spaceId, 'import', { url, force: true });
  expect(await markdownAt(admin, spaceId, 'home')).toBe('Branch.\n');
  await write(spaceId, 'home', 'Space.');
  await repository.commit({ 'README.md': '# Home\n\nBranch again.\n' });
  await sync(admin, spaceId, 'export', { url, force: true });
  expect((await repository.files())['README.md']).toBe('# Home\n\nSpace.\n');
  expect(await repository.log()).toHaveLength(4);
});

test('starts again when somebody pushes at the same time', async () => {
  const { repository, spaceId, url } = await connected();
  await write(spaceId, 'home', 'First!\n\nSecond.');
  repository.beforePush = async () => {
    repository.beforePush = undefined;
    await repository.commit({ 'other.md': '# Other\n\nPushed meanwhile.\n' });
  };
  expect(await sync(admin, spaceId, 'export', { url })).toMatchObject({ status: 'completed' });
  expect(await repository.files()).toMatchObject({
    'README.md': '# Home\n\nFirst!\n\nSecond.\n',
    'other.md': '# Other\n\nPushed meanwhile.\n',
  });
});

test('recognizes its commit when the connection is lost after the push', async () => {
  const { repository, spaceId, url } = await connected();
  await write(spaceId, 'home', 'First!\n\nSecond.');
  repository.losesAnswer = true;
  expect(await sync(admin, spaceId, 'export', { url })).toMatchObject({ status: 'failed' });
  repository.losesAnswer = false;
  expect(await repository.log()).toHaveLength(2);
  await write(spaceId, 'home', 'First!!\n\nSecond.');
  expect(await sync(admin, spaceId, 'export', { url })).toMatchObject({ status: 'completed', filesChanged: 1 });
  expect((await repository.files())['README.md']).toBe('# Home\n\nFirst!!\n\nSecond.\n');
});

test('keeps what the files of pages cannot express', async () => {
  const { repository, spaceId, url } = await connected();
  const pageId = await pageAt(admin, spaceId, 'home');
  await edit(admin, spaceId, [{ updatePage: { pageId, emoji: '1f600' } }]);
  await sync(admin, spaceId, 'export', { url });
  await repository.commit({ 'README.md': '# Home\n\nFirst.\n\nThird.\n' });
  await sync(admin, spaceId, 'import', { url });
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}`);
  expect(body).toMatchObject({ emoji: '1f600' });
});

test('a rewritten or emptied branch does not empty the space', async () => {
  const { repository, spaceId, url } = await connected();
  const ids = (await pagesIn(admin, spaceId)).map(({ id }) => id);
  await repository.rewrite({ ...FILES, 'README.md': '# Home\n\nRewritten.\n' });
  await sync(admin, spaceId, 'import', { url });
  expect((await pagesIn(admin, spaceId)).map(({ id }) => id)).toEqual(ids);
  expect(await markdownAt(admin, spaceId, 'home')).toBe('Rewritten.\n');
  await repository.rewrite({ 'main.c': 'int main;' });
  expect(await sync(admin, spaceId, 'import', { url })).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('Markdown'),
  });
  expect(await pagesIn(admin, spaceId)).toHaveLength(2);
});

test('an export to another branch deletes nothing from the space', async () => {
  const { spaceId, repository, url } = await connected();
  const pages = await pagesIn(admin, spaceId);
  const other = await server.repository(`both-${names++}`);
  await other.commit({ 'README.md': '# Elsewhere\n' });
  expect(await sync(admin, spaceId, 'export', { url: other.url })).toMatchObject({ status: 'completed' });
  expect(await pagesIn(admin, spaceId)).toEqual(pages);
  expect((await other.files())['other.md']).toBe(FILES['other.md']);
  await write(spaceId, 'home', 'Edited.');
  await sync(admin, spaceId, 'export', { url: other.url });
  expect(await sync(admin, spaceId, 'export', { url })).toMatchObject({ status: 'completed' });
  expect(await markdownAt(admin, spaceId, 'home')).toBe('Edited.');
  expect((await repository.files())['README.md']).toBe('# Home\n\nEdited.\n');
});

/** Deletes a page from the branch, below which the space has put another one, and synchronizes. */
async function withPageBelowDeleted() {
  const { repository, spaceId, url } = await connected();
  const into = await pageAt(admin, spaceId, 'other');
  await edit(admin, spaceId, [
    { insertPage: { parentId: into, title: 'Below', document: { markdown: 'Kept.' } } },
    { insertPage: { title: 'Apart', document: { markdown: 'Text on both sides.' } } },
  ]);
  await repository.commit({
    'other.md': null,
    'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n',
  });
  const { changeRequest } = await sync(admin, spaceId, 'export', { url });
  return { repository, spaceId, url, changeRequest };
}

test('a conflict stays one until it is settled, however often both sides are synchronized', async () => {
  const { spaceId, url, changeRequest } = await withPageBelowDeleted();
  for (const direction of ['export', 'import', 'export'] as const) {
    expect(await sync(admin, spaceId, direction, { url })).toMatchObject({ changeRequest, filesChanged: 0 });
  }
  const titles = (await pagesIn(admin, spaceId)).map(({ title }) => title);
  expect(titles.toSorted()).toEqual(['Apart', 'Below', 'Home', 'Other']);
});

test('settling a conflict takes nothing from what both sides have got since it came up', async () => {
  const { repository, spaceId, url, changeRequest: changeRequestId } = await withPageBelowDeleted();
  const [apart, into] = [await pageAt(admin, spaceId, 'apart'), await pageAt(admin, spaceId, 'other')];
  await edit(admin, spaceId, [{ movePage: { pageId: apart, parentId: into } }]);
  await sync(admin, spaceId, 'export', { url });
  const { changeRequest } = await admin.graphql(
    'query($id: ID!) { changeRequest(id: $id) { conflicts { nodes { id } } } }',
    { id: changeRequestId },
  );
  const resolutions = changeRequest.conflicts.nodes.map(({ id: conflictId }: { id: string }) => ({
    conflictId,
    choice: 'OURS',
  }));
  await admin.mutate('resolveChangeRequestConflicts', { changeRequestId, resolutions }, 'result');
  await admin.mutate('mergeChangeRequest', { changeRequestId }, 'result');
  await sync(admin, spaceId, 'export', { url });
  expect((await pagesIn(admin, spaceId)).map(({ title }) => title)).toEqual(['Home', 'Apart']);
  expect(Object.values(await repository.files()).join()).toContain('Text on both sides.');
});
