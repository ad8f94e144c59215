import { expect, test } from 'vitest';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { arrangeIn } from '../reviews/arrange.ts';

const site = await world();
const { app, admin, editor, reviewer, commenter, reader, outsider, anonymous } = site;
const arrange = arrangeIn(site);
const { db } = app.services;

const MERGED = `result changeRequest { status outdated mergedAt mergedBy { id } mergedRevision { id } mergedAncestorRevision { id } }
  revision { id type parents { id } } space { revision { id } }
  conflicts { id kind field base { markdown } ours { markdown } theirs { markdown } }`;

const merge = (by: typeof admin, changeRequestId: string, selection = MERGED, given = {}) =>
  by.mutate('mergeChangeRequest', { changeRequestId, ...given }, selection);

const markdownOf = async (spaceId: string, pageId: string): Promise<string> =>
  withoutTitle((await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=markdown`)).body.markdown);

const write = (pageId: string | undefined, markdown: string) => ({ updatePage: { pageId, document: { markdown } } });

test('merges the changes into the primary content; the new revision has both sides as parents', async () => {
  const { spaceId, pageIds } = await arrange.space('One.', 'Two.');
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, write(pageIds[0], 'One, better.'));
  const before = await reader.graphql(
    'query($id: ID!) { changeRequest(id: $id) { revision { id } space { revision { id } } } }',
    { id },
  );
  const { result, changeRequest, revision, space, conflicts } = await merge(reviewer, id);
  expect([result, conflicts]).toEqual(['MERGE', []]);
  expect(changeRequest).toMatchObject({
    status: 'MERGED',
    outdated: false,
    mergedBy: { id: reviewer.userId },
    mergedRevision: { id: revision.id },
    mergedAncestorRevision: null,
  });
  expect(revision).toMatchObject({
    type: 'MERGE',
    parents: [{ id: before.changeRequest.space.revision.id }, { id: before.changeRequest.revision.id }],
  });
  expect(space.revision.id).toBe(revision.id);
  expect(await markdownOf(spaceId, pageIds[0] ?? '')).toBe('One, better.\n');
});

test('keeps different changes of both sides', async () => {
  const { spaceId, pageIds } = await arrange.space('First.\n\nSecond.\n\nThird.', 'Other.');
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, write(pageIds[0], 'First of ours.\n\nSecond.\n\nThird.'), {
    insertPage: { title: 'Ours', document: { markdown: 'New.' } },
  });
  await arrange.editMain(editor, spaceId, write(pageIds[0], 'First.\n\nSecond.\n\nThird of theirs.'), {
    updatePage: { pageId: pageIds[1], title: 'Renamed' },
  });
  const { body } = await reviewer.restAs(
    'mergeChangeRequest',
    'POST',
    `/v1/spaces/${spaceId}/change-requests/${id}/merge`,
  );
  expect(body).toEqual({ result: 'merge', revision: expect.stringMatching(/^rev_/) });
  expect(await markdownOf(spaceId, pageIds[0] ?? '')).toBe('First of ours.\n\nSecond.\n\nThird of theirs.\n');
  const { space } = await reader.graphql(
    'query($id: ID!) { space(id: $id) { revision { pages { ... on PageNode { title } } } } }',
    { id: spaceId },
  );
  expect(space.revision.pages.map(({ title }: { title: string }) => title)).toEqual(['Page 1', 'Renamed', 'Ours']);
});

test('returns conflicts as data, and writes nothing', async () => {
  const { spaceId, pageIds } = await arrange.space('Same.');
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, write(pageIds[0], 'Ours.'));
  await arrange.editMain(editor, spaceId, write(pageIds[0], 'Theirs.'));
  const fingerprint = async () => [
    await db.selectFrom('change_request').where('id', '=', id).selectAll().execute(),
    await db.selectFrom('space').where('id', '=', spaceId).selectAll().execute(),
    await db.selectFrom('revision').select(db.fn.countAll().as('count')).execute(),
    await db.selectFrom('document').select(db.fn.countAll().as('count')).execute(),
    await db.selectFrom('event').select(db.fn.countAll().as('count')).execute(),
  ];
  const before = await fingerprint();
  const own = before[0]?.[0] as { revisionId: string };
  const { result, changeRequest, revision, conflicts } = await merge(reviewer, id);
  expect([result, changeRequest.status, revision.id]).toEqual(['CONFLICTS', 'DRAFT', own.revisionId]);
  expect(conflicts).toEqual([
    {
      id: expect.any(String),
      kind: 'BLOCK',
      field: null,
      base: { markdown: 'Same.\n' },
      ours: { markdown: 'Ours.\n' },
      theirs: { markdown: 'Theirs.\n' },
    },
  ]);
  const path = `/v1/spaces/${spaceId}/change-requests/${id}`;
  const { body } = await reviewer.restAs('mergeChangeRequest', 'POST', `${path}/merge`);
  expect(body).toMatchObject({ result: 'conflicts', revision: own.revisionId, conflicts: [{ id: conflicts[0].id }] });
  expect((await reader.get(`${path}/conflicts`)).body.items).toEqual(body.conflicts);
  expect(await fingerprint()).toEqual(before);
});

test.each([
  ['an editor', editor, 403, 'FORBIDDEN'],
  ['a commenter', commenter, 403, 'FORBIDDEN'],
  ['an outsider', outsider, 404, 'NOT_FOUND'],
  ['an anonymous caller', anonymous, 401, 'UNAUTHENTICATED'],
] as const)('%s may not merge', async (_who, caller, status, code) => {
  const { spaceId } = await arrange.space('One.');
  const id = await arrange.changeRequest(admin, spaceId);
  expect((await caller.post(`/v1/spaces/${spaceId}/change-requests/${id}/merge`)).status).toBe(status);
  await expect(merge(caller, id)).rejects.toMatchObject({ code });
});

test('merging again returns the same result, with and without a key, and changes nothing', async () => {
  const { spaceId, pageIds } = await arrange.space('One.');
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, write(pageIds[0], 'Two.'));
  const first = await merge(reviewer, id, MERGED, { idempotencyKey: 'm1' });
  await arrange.editMain(editor, spaceId, write(pageIds[0], 'Three.'));
  const revisions = () => db.selectFrom('revision').select(db.fn.countAll().as('count')).execute();
  const [count, head] = [await revisions(), await markdownOf(spaceId, pageIds[0] ?? '')];
  const again = await merge(reviewer, id, MERGED, { idempotencyKey: 'm1' });
  expect(again).toEqual({ ...first, space: again.space });
  expect(await merge(admin, id)).toEqual(again);
  const { body } = await admin.restAs(
    'mergeChangeRequest',
    'POST',
    `/v1/spaces/${spaceId}/change-requests/${id}/merge`,
  );
  expect(body).toEqual({ result: 'merge', revision: first.revision.id });
  expect([await revisions(), await markdownOf(spaceId, pageIds[0] ?? '')]).toEqual([count, head]);
});

test('the same key returns the current conflicts', async () => {
  const { spaceId, pageIds } = await arrange.space('Same.');
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, write(pageIds[0], 'Ours.'));
  await arrange.editMain(editor, spaceId, write(pageIds[0], 'Theirs.'));
  const first = await merge(reviewer, id, MERGED, { idempotencyKey: 'm2' });
  expect(first.result).toBe('CONFLICTS');
  expect(await merge(reviewer, id, MERGED, { idempotencyKey: 'm2' })).toEqual(first);
});

test.each(['draft', 'open', 'archived'] as const)(
  'merges a change request that is %s, on a locked space too',
  async (status) => {
    const { spaceId, pageIds } = await arrange.space('One.');
    await admin.patch(`/v1/spaces/${spaceId}`, { editMode: 'locked' });
    const id = await arrange.changeRequest(editor, spaceId);
    await arrange.edit(editor, id, write(pageIds[0], 'Two.'));
    await editor.patch(`/v1/spaces/${spaceId}/change-requests/${id}`, { status });
    expect((await merge(reviewer, id)).result).toBe('MERGE');
    expect(await markdownOf(spaceId, pageIds[0] ?? '')).toBe('Two.\n');
  },
);

test('merges a change request without changes, and the content stays the same', async () => {
  const { spaceId, pageIds } = await arrange.space('One.');
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.editMain(editor, spaceId, write(pageIds[0], 'Two.'));
  const { result, revision, changeRequest } = await merge(reviewer, id);
  expect([result, revision.type, changeRequest.status]).toEqual(['MERGE', 'MERGE', 'MERGED']);
  expect(await markdownOf(spaceId, pageIds[0] ?? '')).toBe('Two.\n');
});

test('records events, which webhooks and subscriptions receive', async () => {
  const { spaceId, pageIds } = await arrange.space('One.');
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, write(pageIds[0], 'Two.'));
  const { revision } = await merge(reviewer, id);
  const events = await db.selectFrom('event').where('spaceId', '=', spaceId).orderBy('id').selectAll().execute();
  const ids = { spaceId, changeRequestId: id, revisionId: revision.id };
  const previousRevisionId = revision.parents[0].id;
  expect(events.slice(-2).map(({ kind, ids: about, actorId }) => ({ kind, about, actorId }))).toEqual([
    { kind: 'change_request_merged', about: ids, actorId: reviewer.userId },
    { kind: 'space_content_updated', about: { ...ids, previousRevisionId }, actorId: reviewer.userId },
  ]);
});

test('refuses a deleted space', async () => {
  const { spaceId } = await arrange.space('One.');
  const id = await arrange.changeRequest(editor, spaceId);
  await admin.delete(`/v1/spaces/${spaceId}`);
  await expect(merge(admin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('requires the expected version', async () => {
  const { spaceId } = await arrange.space('One.');
  const id = await arrange.changeRequest(editor, spaceId);
  const path = `/v1/spaces/${spaceId}/change-requests/${id}`;
  const tag = (await reviewer.get(path)).headers.get('etag') ?? '';
  await arrange.edit(editor, id, { insertPage: { title: 'Later' } });
  expect((await reviewer.send('POST', `${path}/merge`, undefined, { 'if-match': tag })).status).toBe(412);
  const present = (await reviewer.get(path)).headers.get('etag') ?? '';
  expect((await reviewer.send('POST', `${path}/merge`, undefined, { 'if-match': present })).status).toBe(200);
});
