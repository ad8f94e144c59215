import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { editor, reviewer, creator, commenter, reader, guest, outsider, anonymous, grant } = site;
const arrange = arrangeIn(site);
const spaceId = await arrange.space();
const path = `/v1/spaces/${spaceId}/change-requests`;

const update = (by: typeof editor, changeRequestId: string, given: object, selection = 'changeRequest { status }') =>
  by.mutate('updateChangeRequest', { changeRequestId, ...given }, selection);

const text = (words: string) => ({
  object: 'document',
  data: {},
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] }],
    },
  ],
});

test('the author updates all fields, and REST returns them', async () => {
  const { id, number } = await arrange.changeRequest(editor, spaceId);
  site.advance(1_000);
  const { changeRequest } = await update(
    editor,
    id,
    { subject: 'Plain words', description: { markdown: 'Shorter.' }, status: 'OPEN' },
    'changeRequest { subject status description createdAt updatedAt }',
  );
  expect(changeRequest).toMatchObject({
    subject: 'Plain words',
    status: 'OPEN',
    description: { object: 'document', nodes: [{ type: 'paragraph' }] },
  });
  expect(changeRequest.updatedAt > changeRequest.createdAt).toBe(true);
  const { body } = await reader.restAs('getChangeRequestById', 'GET', `${path}/${number}`);
  expect(body).toMatchObject({ subject: 'Plain words', status: 'open', description: changeRequest.description });
});

test('REST takes a bare document, keeps properties that are left out, and the graph returns it', async () => {
  const { id, number } = await arrange.changeRequest(editor, spaceId, { subject: 'Kept' });
  const one = `${path}/${number}`;
  const { status, body } = await editor.restAs('updateChangeRequestById', 'PATCH', one, { description: text('Why.') });
  expect([status, body.subject, body.status]).toEqual([200, 'Kept', 'draft']);
  const read = async () =>
    (await reader.graphql('query($id: ID!) { changeRequest(id: $id) { subject description } }', { id })).changeRequest;
  expect(await read()).toEqual({ subject: 'Kept', description: body.description });
  expect(JSON.stringify(body.description)).toContain('Why.');
  expect((await editor.patch(one, { description: { markdown: 'As *Markdown*' } })).status).toBe(200);
  expect(JSON.stringify(await read())).toContain('italic');
  for (const nothing of [null, text(''), { markdown: '\n' }]) {
    await editor.patch(one, { description: text('Again.') });
    const emptied = await editor.patch(one, { description: nothing });
    expect([emptied.status, emptied.body.description]).toEqual([200, undefined]);
  }
  expect((await editor.patch(one, { subject: '' })).body.subject).toBe('');
});

test.each([
  ['draft', 'open'],
  ['open', 'draft'],
  ['draft', 'archived'],
  ['open', 'archived'],
  ['archived', 'draft'],
  ['archived', 'open'],
  ['draft', 'draft'],
  ['open', 'open'],
  ['archived', 'archived'],
] as const)('goes from %s to %s', async (from, to) => {
  const { id } = await arrange.changeRequest(editor, spaceId, { status: from });
  const { status, body } = await editor.patch(`${path}/${id}`, { status: to });
  expect([status, body.status]).toEqual([200, to]);
});

test('a status of merged is only reached by merging', async () => {
  const { id } = await arrange.changeRequest(editor, spaceId, { status: 'open' });
  const { status, body } = await editor.patch(`${path}/${id}`, { status: 'merged' });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('status: ')]);
  await expect(update(editor, id, { status: 'MERGED' })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('the status of a merged change request is final, but subject and description can change', async () => {
  const { id } = await arrange.changeRequest(editor, spaceId, { status: 'merged' });
  for (const status of ['draft', 'open', 'archived']) {
    expect((await editor.patch(`${path}/${id}`, { status, subject: 'No' })).status).toBe(409);
  }
  await expect(update(editor, id, { status: 'OPEN' })).rejects.toMatchObject({ code: 'CONFLICT' });
  const { status, body } = await editor.patch(`${path}/${id}`, { subject: 'Yes', description: text('So.') });
  expect([status, body.subject, body.status]).toEqual([200, 'Yes', 'merged']);
});

test('an update without changes succeeds without an event', async () => {
  const { id } = await arrange.changeRequest(editor, spaceId, { status: 'open', subject: 'Same' });
  const events = () =>
    site.app.services.db.selectFrom('event').where('kind', '=', 'change_request_updated').select('id').execute();
  const before = await editor.get(`${path}/${id}`);
  const count = (await events()).length;
  site.advance(1_000);
  for (const given of [{}, { subject: 'Same', status: 'open' }, { description: null }]) {
    const { status, body } = await editor.patch(`${path}/${id}`, given);
    expect([status, body]).toEqual([200, before.body]);
  }
  expect((await events()).length).toBe(count);
  await editor.patch(`${path}/${id}`, { subject: 'Other' });
  expect((await events()).length).toBe(count + 1);
});

test('other users need the role of a reviewer', async () => {
  const { id } = await arrange.changeRequest(creator, spaceId);
  const answers = await Promise.all(
    [editor, commenter, reader, reviewer].map((by) => by.patch(`${path}/${id}`, { subject: 'Mine' })),
  );
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 200]);
  await expect(update(editor, id, { status: 'OPEN' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await update(reviewer, id, { status: 'OPEN' })).changeRequest).toEqual({ status: 'OPEN' });
});

test('refuses an author who can no longer edit', async () => {
  await grant(spaceId, guest.userId, 'edit');
  const { id } = await arrange.changeRequest(guest, spaceId);
  expect((await guest.patch(`${path}/${id}`, { subject: 'One' })).status).toBe(200);
  await grant(spaceId, guest.userId, 'comment');
  expect((await guest.patch(`${path}/${id}`, { subject: 'Two' })).status).toBe(403);
});

test.each([
  ['an outsider', outsider, 404, 'NOT_FOUND'],
  ['an anonymous caller', anonymous, 401, 'UNAUTHENTICATED'],
] as const)('finds nothing for %s, whatever else is wrong', async (_who, caller, status, code) => {
  const { id } = await arrange.changeRequest(editor, spaceId);
  for (const subject of ['Fine', 'x'.repeat(101)]) {
    expect((await caller.patch(`${path}/${id}`, { subject })).status).toBe(status);
    await expect(update(caller, id, { subject })).rejects.toMatchObject({ code });
  }
});

test('a change request of another space is NOT_FOUND', async () => {
  const { id } = await arrange.changeRequest(editor, await arrange.space());
  expect((await editor.patch(`${path}/${id}`, { subject: 'x' })).status).toBe(404);
});

test.each([
  ['subject', 'x'.repeat(101)],
  ['subject', 'two\nlines'],
  ['description', 'text'],
  ['description', { nodes: 7 }],
  ['description', { markdown: 'x'.repeat(50_001) }],
  ['status', 'closed'],
])('refuses a %s of another kind (%#)', async (member, value) => {
  const { id } = await arrange.changeRequest(editor, spaceId);
  const { status, body } = await editor.patch(`${path}/${id}`, { [member]: value });
  expect(status).toBe(400);
  expect(body.error.message).toContain(member);
});

test('requires the expected version', async () => {
  const { id } = await arrange.changeRequest(editor, spaceId);
  const read = await editor.get(`${path}/${id}`);
  const ifMatch = { 'if-match': read.headers.get('etag') ?? '' };
  expect((await editor.send('PATCH', `${path}/${id}`, { subject: 'One' }, ifMatch)).status).toBe(200);
  expect((await editor.send('PATCH', `${path}/${id}`, { subject: 'Two' }, ifMatch)).status).toBe(412);
});
