import { expect, test } from 'vitest';
import { statementsOf } from '../../client.ts';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { app, organizationId, editor, commenter, guest, outsider, anonymous, grant, admin } = site;
const arrange = arrangeIn(site);
const { db } = app.services;
const spaceId = await arrange.space();
const path = `/v1/spaces/${spaceId}/change-requests`;

const headOf = async (id: string) =>
  (await db.selectFrom('space').where('id', '=', id).select('revisionId').executeTakeFirstOrThrow()).revisionId;

test('takes two statements, and shows its creator as later reads do', async () => {
  const other = await arrange.space();
  const document = `mutation($input: CreateChangeRequestInput!) { createChangeRequest(input: $input) {
    changeRequest { createdBy { id displayName photoUrl createdAt version } } } }`;
  // Reads the map of the access, which commands do not wait for.
  await editor.get(`/v1/spaces/${other}`);
  const answer = await editor.graphqlRaw(document, { input: { spaceId: other } });
  const { viewer } = await editor.graphql('{ viewer { id displayName photoUrl createdAt version } }');
  expect(answer.body.data.createChangeRequest.changeRequest.createdBy).toEqual(viewer);
  expect(statementsOf(answer)).toBe(2);
});

test('creates a draft at the current revision of the space, which REST returns', async () => {
  const { changeRequest, clientMutationId } = await editor.mutate(
    'createChangeRequest',
    { spaceId, subject: 'Say it better', agentTaskId: 'task-7', clientMutationId: '1' },
    `clientMutationId changeRequest {
      id number subject status description createdAt updatedAt mergedAt outdated urls { location app }
      createdBy { id } mergedBy { id } space { id } contributors { nodes { id } }
    }`,
  );
  expect(clientMutationId).toBe('1');
  expect(changeRequest).toMatchObject({
    number: 1,
    subject: 'Say it better',
    status: 'DRAFT',
    description: null,
    mergedAt: null,
    outdated: false,
    createdBy: { id: editor.userId },
    mergedBy: null,
    space: { id: spaceId },
    contributors: { nodes: [{ id: editor.userId }] },
  });
  expect(changeRequest.updatedAt).toBe(changeRequest.createdAt);
  const { body } = await editor.restAs('getChangeRequestById', 'GET', `${path}/${changeRequest.id}`);
  const head = await headOf(spaceId);
  expect(body).toMatchObject({
    object: 'change-request',
    id: changeRequest.id,
    number: 1,
    status: 'draft',
    subject: 'Say it better',
    createdBy: { id: editor.userId },
    space: spaceId,
    revision: head,
    revisionInitial: head,
    comments: 0,
    outdated: false,
    urls: changeRequest.urls,
  });
});

test('REST creates one with a location and an empty subject by default', async () => {
  const { status, body, headers } = await editor.restAs('createChangeRequest', 'POST', path, {});
  expect(status).toBe(201);
  expect(body).toMatchObject({ number: 2, subject: '', status: 'draft' });
  expect(headers.get('location')).toBe(body.urls.location);
  expect(new URL(body.urls.location).pathname).toBe(`${path}/${body.id}`);
  const { changeRequest } = await editor.graphql('query($id: ID!) { changeRequest(id: $id) { number subject } }', {
    id: body.id,
  });
  expect(changeRequest).toEqual({ number: 2, subject: '' });
});

test('numbers 50 concurrent creations from 1 to 50, and leaves no gap after a failed one', async () => {
  const parallel = await arrange.space();
  const created = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      index % 2 === 0
        ? editor.mutate('createChangeRequest', { spaceId: parallel }, 'changeRequest { number }')
        : admin.post(`/v1/spaces/${parallel}/change-requests`),
    ),
  );
  const numbers = created.map((answer) => (answer.changeRequest ?? answer.body).number);
  expect(numbers.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect((await editor.post(`/v1/spaces/${parallel}/change-requests`, { subject: 1 })).status).toBe(400);
  expect((await arrange.changeRequest(editor, parallel)).number).toBe(51);
});

test('copies no content', async () => {
  const counts = async () => {
    const tables = ['revision', 'page_node', 'head_page', 'document', 'manifest_node'] as const;
    const rows = tables.map((table) => db.selectFrom(table).select(db.fn.countAll().as('count')).executeTakeFirst());
    return (await Promise.all(rows)).map((row) => row?.count);
  };
  const before = await counts();
  await arrange.changeRequest(editor, spaceId);
  expect(await counts()).toEqual(before);
});

test('works on a locked space', async () => {
  const locked = await arrange.space();
  await admin.patch(`/v1/spaces/${locked}`, { editMode: 'locked' });
  expect((await editor.post(`/v1/spaces/${locked}/change-requests`)).status).toBe(201);
});

test('counts the characters of a subject as code points, and takes 100 of them', async () => {
  const { status, body } = await editor.post(path, { subject: '🌍'.repeat(100) });
  expect(status).toBe(201);
  expect(body.subject).toBe('🌍'.repeat(100));
});

test.each([
  ['subject', 'x'.repeat(101)],
  ['subject', '🌍'.repeat(101)],
  ['subject', 'two\nlines'],
  ['subject', 'bell\u0007'],
  ['subject', '\ud800'],
  ['agentTaskId', 'x'.repeat(256)],
])('refuses a %s that is too long or holds what no line can (%#)', async (member, value) => {
  const { status, body } = await editor.post(path, { [member]: value });
  expect(status).toBe(400);
  expect(body.error.message).toContain(`${member}: `);
  await expect(
    editor.mutate('createChangeRequest', { spaceId, [member]: value }, 'clientMutationId'),
  ).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    errors: [{ extensions: { issues: [{ path: ['input', member] }] } }],
  });
});

test('refuses a body that is not an object and a subject that is not a string', async () => {
  for (const body of [[], { subject: 7 }, { subject: {} }]) expect((await editor.post(path, body)).status).toBe(400);
});

const apiErrors = [
  ['a commenter', commenter, 403, 'FORBIDDEN'],
  ['a guest without a grant', guest, 404, 'NOT_FOUND'],
  ['an outsider', outsider, 404, 'NOT_FOUND'],
  ['an anonymous caller', anonymous, 401, 'UNAUTHENTICATED'],
] as const;

test.each(apiErrors)('refuses %s, whatever else is wrong with the input', async (_who, caller, status, code) => {
  for (const subject of ['Fine', 'x'.repeat(101)]) {
    const answer = await caller.post(path, { subject });
    expect(answer.status).toBe(status);
    expectShape('createChangeRequest', answer.status, answer.body);
    await expect(caller.mutate('createChangeRequest', { spaceId, subject }, 'clientMutationId')).rejects.toMatchObject({
      code,
    });
  }
});

test('refuses callers with access only through a published site', async () => {
  const shown = await arrange.space();
  await contentOf(db, organizationId).site({ spaces: [shown], isPublished: true });
  expect((await outsider.post(`/v1/spaces/${shown}/change-requests`)).status).toBe(403);
  expect((await anonymous.post(`/v1/spaces/${shown}/change-requests`)).status).toBe(401);
});

test('takes a guest with a grant', async () => {
  const granted = await arrange.space();
  await grant(granted, guest.userId, 'edit');
  expect(await arrange.changeRequest(guest, granted)).toMatchObject({ number: 1 });
});

test('NOT_FOUND for a missing or deleted space', async () => {
  const deleted = await arrange.space();
  await admin.delete(`/v1/spaces/${deleted}`);
  for (const id of [deleted, 'space_00000000000000000000000000', 'nothing', organizationId]) {
    expect((await admin.post(`/v1/spaces/${id}/change-requests`)).status).toBe(404);
    await expect(admin.mutate('createChangeRequest', { spaceId: id }, 'clientMutationId')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  }
});

test('refuses to write in a blocked organization', async () => {
  const block = (blocked: { reason: string } | null) =>
    db.updateTable('organization').set({ blocked }).where('id', '=', organizationId).execute();
  await block({ reason: 'unpaid' });
  const { status, body } = await editor.post(path);
  await block(null);
  expect(status).toBe(403);
  expect(body.error.message).toContain('unpaid');
});
