import { expect, test } from 'vitest';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { arrangeIn } from '../reviews/arrange.ts';

const site = await world();
const { app, admin, editor, reviewer, commenter, reader, outsider, anonymous } = site;
const arrange = arrangeIn(site);
const { db } = app.services;

const PULLED = `result changeRequest { status outdated revision { id } mergedAncestorRevision { id } space { revision { id } } }
  revision { id type parents { id } } conflicts { id kind field base { markdown } ours { markdown } theirs { markdown } }`;

const pull = (by: typeof admin, changeRequestId: string, given = {}) =>
  by.mutate('pullChangeRequest', { changeRequestId, ...given }, PULLED);

const write = (pageId: string | undefined, markdown: string) => ({ updatePage: { pageId, document: { markdown } } });

/** An outdated change request with an edit. */
async function outdated(ours: string, theirs: string) {
  const { spaceId, pageIds } = await arrange.space('First.\n\nSecond.');
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, write(pageIds[0], ours));
  await arrange.editMain(editor, spaceId, write(pageIds[0], theirs));
  return { spaceId, id, pageId: pageIds[0] ?? '', path: `/v1/spaces/${spaceId}/change-requests/${id}` };
}

const stateOf = async (path: string) => (await reader.get(path)).body;

test('pulls the changes of the space, which become the new base', async () => {
  const { id, path, pageId } = await outdated('Ours.\n\nSecond.', 'First.\n\nTheirs.');
  const before = await stateOf(path);
  expect(before.outdated).toBe(true);
  const { result, changeRequest, revision, conflicts } = await pull(editor, id);
  const head = changeRequest.space.revision.id;
  expect([result, conflicts]).toEqual(['UPDATE', []]);
  expect(changeRequest).toMatchObject({ status: 'DRAFT', outdated: false, mergedAncestorRevision: { id: head } });
  expect(changeRequest.revision.id).toBe(revision.id);
  expect(revision).toMatchObject({ type: 'UPDATE', parents: [{ id: before.revision }, { id: head }] });
  expect(await stateOf(path)).toMatchObject({
    revision: revision.id,
    revisionInitial: before.revisionInitial,
    revisionMergedAncestor: head,
    outdated: false,
  });
  const { body } = await reader.get(`${path}/content/page/${pageId}?format=markdown`);
  expect(withoutTitle(body.markdown)).toBe('Ours.\n\nTheirs.\n');
});

test('with nothing to pull the revision stays, and no event is recorded', async () => {
  const { spaceId, pageIds } = await arrange.space('One.');
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, write(pageIds[0], 'Two.'));
  const path = `/v1/spaces/${spaceId}/change-requests/${id}`;
  const count = () => db.selectFrom('event').select(db.fn.countAll().as('count')).execute();
  const [before, events] = [await stateOf(path), await count()];
  const { status, body } = await editor.restAs('updateChangeRequest', 'POST', `${path}/update`);
  expect([status, body]).toEqual([200, { result: 'update', revision: before.revision }]);
  expect([await stateOf(path), await count()]).toEqual([before, events]);
});

test('conflicts change nothing, and are the same as those of a merge', async () => {
  const { id, path } = await outdated('Ours.\n\nSecond.', 'Theirs.\n\nSecond.');
  const before = await stateOf(path);
  const { result, revision, conflicts } = await pull(editor, id);
  expect([result, revision.id]).toEqual(['CONFLICTS', before.revision]);
  expect(conflicts).toMatchObject([
    { kind: 'BLOCK', ours: { markdown: 'Ours.\n' }, theirs: { markdown: 'Theirs.\n' } },
  ]);
  const { body } = await editor.restAs('updateChangeRequest', 'POST', `${path}/update`);
  expect(body).toMatchObject({ result: 'conflicts', revision: before.revision });
  const merged = await reviewer.post(`${path}/merge`);
  expect(merged.body.conflicts).toEqual(body.conflicts);
  expect(body.conflicts.map((conflict: { id: string }) => conflict.id)).toEqual([conflicts[0].id]);
  expect(await stateOf(path)).toEqual(before);
});

test.each(['draft', 'open', 'archived'] as const)('works on one that is %s, which stays so', async (status) => {
  const { id, path } = await outdated('Ours.\n\nSecond.', 'First.\n\nTheirs.');
  await editor.patch(path, { status });
  expect((await pull(editor, id)).result).toBe('UPDATE');
  expect((await stateOf(path)).status).toBe(status);
});

test('refuses a merged change request', async () => {
  const { id, path } = await outdated('Ours.\n\nSecond.', 'First.\n\nTheirs.');
  await reviewer.post(`${path}/merge`);
  expect((await editor.post(`${path}/update`)).status).toBe(409);
  await expect(pull(editor, id)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test.each([
  ['a commenter', commenter, 403, 'FORBIDDEN'],
  ['an outsider', outsider, 404, 'NOT_FOUND'],
  ['an anonymous caller', anonymous, 401, 'UNAUTHENTICATED'],
] as const)('%s may not update one', async (_who, caller, status, code) => {
  const { id, path } = await outdated('Ours.\n\nSecond.', 'First.\n\nTheirs.');
  expect((await caller.post(`${path}/update`)).status).toBe(status);
  await expect(pull(caller, id)).rejects.toMatchObject({ code });
});

test('the same key updates once', async () => {
  const { id } = await outdated('Ours.\n\nSecond.', 'First.\n\nTheirs.');
  const first = await pull(editor, id, { idempotencyKey: 'p1' });
  expect(await pull(editor, id, { idempotencyKey: 'p1' })).toEqual(first);
});

test('after an update, a later edit of the same block merges without conflict', async () => {
  const { id, path, spaceId, pageId } = await outdated('Ours.\n\nSecond.', 'First.\n\nTheirs.');
  await pull(editor, id);
  await arrange.edit(editor, id, write(pageId, 'Ours.\n\nOurs again.'));
  expect((await reviewer.post(`${path}/merge`)).body.result).toBe('merge');
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=markdown`);
  expect(withoutTitle(body.markdown)).toBe('Ours.\n\nOurs again.\n');
});
