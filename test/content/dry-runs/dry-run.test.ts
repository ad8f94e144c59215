import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import yazl from 'yazl';
import { world } from '../../world.ts';
import { aSpace } from '../editing/arrange.ts';

const { admin, creator, editor, reader, outsider, organizationId, eventsBy, advance } = await world();

const PREVIEW = `preview { pages { pageId title effect fields diff } pagesCount hasFileChanges hasReusableContentChanges hasVariableChanges
  brokenLinks { locationId blockKey ref } brokenLinksCount }`;

const edit = (spaceId: string, changes: unknown[], more: object = {}) =>
  editor.mutate('updateSpaceContent', { spaceId, changes, ...more }, `revision { id } pageIds ${PREVIEW}`);

/** A space with a page, and another one that links to it. */
async function linked() {
  const { spaceId, pageId } = await aSpace(admin, organizationId);
  const { pageIds, revision } = await edit(spaceId, [
    { updatePage: { pageId, document: { markdown: 'one\n\ntwo\n\nthree\n' } } },
    { insertPage: { title: 'Linking', document: { markdown: `See [it](page:${pageId}).\n` } } },
  ]);
  return { spaceId, pageId, linkingId: pageIds[1] as string, revisionId: revision.id as string };
}

const textOf = async (path: string, pageId: string) => (await reader.get(`${path}/page/${pageId}/text`)).body.text;

const rename = (pageId: string, replaceWith: string) => ({
  editPageText: { pageId, edits: [{ find: 'two', replaceWith }] },
});

/** A change request that replaces "two" on the page. */
async function proposal(spaceId: string, pageId: string, word: string) {
  const { changeRequest } = await editor.mutate(
    'createChangeRequest',
    { spaceId, subject: 'x' },
    'changeRequest { id }',
  );
  const changes = [rename(pageId, word)];
  await editor.mutate('updateChangeRequestContent', { changeRequestId: changeRequest.id, changes }, 'pageIds');
  return changeRequest.id as string;
}

test('an edit of a space is tried: the differences are shown, and nothing is written', async () => {
  const { spaceId, pageId, revisionId } = await linked();
  const events = (await eventsBy()).length;
  const changes = [
    rename(pageId, 'zwei'),
    { insertPage: { title: 'New', document: { markdown: 'text' } } },
    { setVariables: { variables: { a: 'b' } } },
  ];
  const tried = await edit(spaceId, changes, { dryRun: true, idempotencyKey: 'try' });
  expect(tried).toMatchObject({ revision: { id: revisionId }, pageIds: [] });
  expect(tried.preview).toEqual({
    pages: [
      {
        pageId: expect.any(String),
        title: 'New',
        effect: 'CREATED',
        fields: [],
        diff: expect.stringContaining('+text'),
      },
      {
        pageId,
        title: expect.any(String),
        effect: 'UPDATED',
        fields: ['document'],
        diff: expect.stringContaining('-two\n+zwei\n'),
      },
    ],
    pagesCount: 2,
    hasFileChanges: false,
    hasReusableContentChanges: false,
    hasVariableChanges: true,
    brokenLinks: [],
    brokenLinksCount: 0,
  });
  expect(await textOf(`/v1/spaces/${spaceId}/content`, pageId)).toBe('one\n\ntwo\n\nthree\n');
  expect((await eventsBy()).length).toBe(events);
  const done = await edit(spaceId, [rename(pageId, 'zwei')], { idempotencyKey: 'try' });
  expect(done.preview).toBe(null);
  expect(done.revision.id).not.toBe(revisionId);
});

test('a tried edit shows the links that it would break', async () => {
  const { spaceId, pageId, linkingId } = await linked();
  const { preview } = await edit(spaceId, [{ deletePage: { pageId } }], { dryRun: true });
  expect(preview.pages).toEqual([
    expect.objectContaining({ pageId, effect: 'DELETED', diff: expect.stringContaining('-one') }),
  ]);
  expect(preview.brokenLinksCount).toBe(1);
  expect(preview.brokenLinks).toEqual([
    { locationId: linkingId, blockKey: expect.any(String), ref: { kind: 'page', page: pageId } },
  ]);
  expect((await edit(spaceId, [rename(pageId, 'x')], { dryRun: true })).preview.brokenLinks).toEqual([]);
});

test('a tried edit has the errors of the edit', async () => {
  const { spaceId, pageId, revisionId } = await linked();
  await edit(spaceId, [rename(pageId, 'deux')]);
  const stale = edit(spaceId, [rename(pageId, 'zwei')], { dryRun: true, baseRevisionId: revisionId });
  await expect(stale).rejects.toMatchObject({ code: 'CONFLICT' });
  const body = { dryRun: true, changes: [{ operation: 'delete_page', page: pageId }] };
  expect((await reader.post(`/v1/spaces/${spaceId}/content`, body)).status).toBe(403);
  expect((await outsider.post(`/v1/spaces/${spaceId}/content`, body)).status).toBe(404);
});

test('an edit of a change request is tried in REST', async () => {
  const { spaceId, pageId } = await linked();
  const changeRequestId = await proposal(spaceId, pageId, 'zwei');
  const path = `/v1/spaces/${spaceId}/change-requests/${changeRequestId}/content`;
  const changes = [{ operation: 'edit_page_text', page: pageId, edits: [{ find: 'zwei', replaceWith: 'dos' }] }];
  const { status, body } = await editor.post(path, { changes, dryRun: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ changeRequest: { id: changeRequestId }, changes: [], preview: { pagesCount: 1 } });
  expect(body.preview.pages[0]).toMatchObject({
    pageId,
    effect: 'updated',
    diff: expect.stringContaining('-zwei\n+dos\n'),
  });
  expect(await textOf(path, pageId)).toBe('one\n\nzwei\n\nthree\n');
});

test('a merge is tried, and the change request stays open', async () => {
  const { spaceId, pageId, revisionId } = await linked();
  const changeRequestId = await proposal(spaceId, pageId, 'zwei');
  const selection = `result revision { id } changeRequest { status } space { revision { id } } ${PREVIEW}`;
  const tried = await creator.mutate('mergeChangeRequest', { changeRequestId, dryRun: true }, selection);
  expect(tried).toMatchObject({ result: 'MERGE', revision: { id: revisionId }, changeRequest: { status: 'DRAFT' } });
  expect(tried.space.revision.id).toBe(revisionId);
  expect(tried.preview.pages).toEqual([
    expect.objectContaining({ pageId, diff: expect.stringContaining('-two\n+zwei\n') }),
  ]);
  const inRest = await creator.post(`/v1/spaces/${spaceId}/change-requests/${changeRequestId}/merge`, { dryRun: true });
  expect(inRest.body).toMatchObject({ result: 'merge', revision: revisionId, preview: { pagesCount: 1 } });
  await edit(spaceId, [rename(pageId, 'deux')]);
  const conflicting = await creator.mutate(
    'mergeChangeRequest',
    { changeRequestId, dryRun: true },
    `${selection} conflicts { kind }`,
  );
  expect(conflicting).toMatchObject({ result: 'CONFLICTS', preview: null, conflicts: [{ kind: 'BLOCK' }] });
});

test('an update of a change request, and a resolution of its conflicts, are tried', async () => {
  const { spaceId, pageId, linkingId } = await linked();
  const changeRequestId = await proposal(spaceId, pageId, 'zwei');
  const selection = `result revision { id } conflicts { id } ${PREVIEW}`;
  const nothing = await editor.mutate('pullChangeRequest', { changeRequestId, dryRun: true }, selection);
  expect(nothing).toMatchObject({ result: 'UPDATE', preview: { pagesCount: 0 } });
  await edit(spaceId, [{ updatePage: { pageId: linkingId, title: 'Other' } }]);
  const tried = await editor.mutate('pullChangeRequest', { changeRequestId, dryRun: true }, selection);
  expect(tried.preview.pages).toEqual([expect.objectContaining({ pageId: linkingId, fields: ['title'] })]);
  expect(tried.revision.id).toBe(nothing.revision.id);
  await edit(spaceId, [rename(pageId, 'deux')]);
  const { result, conflicts } = await editor.mutate('pullChangeRequest', { changeRequestId, dryRun: true }, selection);
  expect(result).toBe('CONFLICTS');
  const resolutions = conflicts.map(({ id }: { id: string }) => ({ conflictId: id, choice: 'THEIRS' }));
  const given = { changeRequestId, resolutions, dryRun: true };
  const resolved = await editor.mutate('resolveChangeRequestConflicts', given, selection);
  expect(resolved).toMatchObject({ result: 'UPDATE', revision: { id: nothing.revision.id } });
  expect(resolved.preview.pages.find((page: { pageId: string }) => page.pageId === pageId).diff).toContain(
    '-zwei\n+deux\n',
  );
});

test('an edit that is made after it was tried has the time when it was made', async () => {
  const { spaceId } = await linked();
  const { changeRequest } = await editor.mutate(
    'createChangeRequest',
    { spaceId, subject: 'x' },
    'changeRequest { id }',
  );
  const change = (changes: unknown[], more: object = {}) =>
    editor.mutate('updateChangeRequestContent', { changeRequestId: changeRequest.id, changes, ...more }, 'pageIds');
  const { pageIds } = await change([{ insertPage: { title: 'New', document: { markdown: 'two' } } }]);
  await change([rename(pageIds[0], 'zwei')], { dryRun: true });
  advance(60 * 60_000);
  await change([rename(pageIds[0], 'zwei')]);
  const path = `/v1/spaces/${spaceId}/change-requests/${changeRequest.id}/content/page/${pageIds[0]}`;
  const { updatedAt } = (await reader.get(path)).body;
  expect(Date.parse(updatedAt) - Date.now()).toBeGreaterThan(30 * 60_000);
});

test('a second broken link to the same target is shown as broken by the edit', async () => {
  const { spaceId, pageId, linkingId } = await linked();
  await edit(spaceId, [{ deletePage: { pageId } }]);
  const markdown = `See [it](page:${pageId}).\n\nAnd [it](page:${pageId}).\n`;
  const again = { updatePage: { pageId: linkingId, document: { markdown } } };
  expect((await edit(spaceId, [again], { dryRun: true })).preview.brokenLinksCount).toBe(1);
});

/** An upload of two pages, one with a link that leads nowhere. */
async function archive(): Promise<string> {
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from('# Start\n\nSee [nothing](missing.md).\n'), 'start.md');
  zip.addBuffer(Buffer.from('# Next\n\nText.\n'), 'next.md');
  zip.end();
  const headers = { 'content-type': 'application/zip' };
  const uploads = `/v1/orgs/${organizationId}/uploads`;
  return (await editor.send('POST', uploads, await buffer(zip.outputStream), headers)).body.url;
}

test('an import into a space is tried: pages, report and broken links are shown, and nothing is written', async () => {
  const { spaceId, revisionId } = await linked();
  const pages = async () => (await reader.get(`/v1/spaces/${spaceId}/content/pages`)).body.pages.length;
  const before = await pages();
  const events = (await eventsBy()).length;
  const url = await archive();
  const tried = await editor.mutate(
    'importSpaceContent',
    { spaceId, url, source: 'ZIP', dryRun: true },
    `revision { id } importedResources importRun { id } ${PREVIEW}`,
  );
  expect(tried).toMatchObject({ revision: { id: revisionId }, importedResources: 2, importRun: null });
  expect(tried.preview.pages).toMatchObject([
    { title: 'Next', effect: 'CREATED', diff: expect.stringContaining('+Text.') },
    { title: 'Start', effect: 'CREATED' },
  ]);

  const path = `/v1/spaces/${spaceId}/content/import`;
  const { status, body, headers } = await editor.post(path, { url, source: 'zip', dryRun: true });
  expect({ status, location: headers.get('location') }).toEqual({ status: 200, location: null });
  expect(body).toMatchObject({ revision: revisionId, preview: { pagesCount: tried.preview.pagesCount } });
  expect(await pages()).toBe(before);
  expect((await eventsBy()).length).toBe(events);

  expect((await editor.post(path, { url, source: 'zip' })).status).toBe(201);
  expect(await pages()).toBe(before + 2);
});

test('an import into a change request is tried, and those who cannot edit learn nothing', async () => {
  const { spaceId, pageId } = await linked();
  const changeRequestId = await proposal(spaceId, pageId, 'zwei');
  const path = `/v1/spaces/${spaceId}/change-requests/${changeRequestId}`;
  const { body: earlier } = await editor.get(path);
  const given = { url: await archive(), source: 'zip', dryRun: true };
  const { status, body } = await editor.post(`${path}/content/import`, given);
  expect(status).toBe(200);
  expect(body.preview).toMatchObject({ pagesCount: 2, hasFileChanges: false });
  expect((await editor.get(path)).body.revision).toEqual(earlier.revision);
  expect((await reader.post(`${path}/content/import`, given)).status).toBe(403);
  expect((await outsider.post(`${path}/content/import`, given)).status).toBe(404);
});
