import { expect, test } from 'vitest';
import { z } from 'zod';
import { changeRequestFor } from '../../src/domain/content/change-requests/index.ts';
import { spaceFor } from '../../src/domain/places/spaces/index.ts';
import type { Context } from '../../src/platform/context/context.ts';
import { command, idOf } from '../../src/platform/operation/operation.ts';
import type { Client } from '../client.ts';
import { statementsOf } from '../client.ts';
import { world } from '../world.ts';

const { app, organizationId, admin, creator, reader, outsider, grant } = await world();
const { em, db } = app.services;

const context: Context = {
  actor: { kind: 'user', userId: creator.userId, isOperator: false, by: 'token' },
  em: em.fork(),
  db,
  services: app.services,
  requestId: 'req-test',
  log: app.services.log,
  inTransaction: false,
};

async function newSpace(): Promise<{ id: string; path: string; etag: string }> {
  const { body } = await creator.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Docs' });
  const path = `/v1/spaces/${body.id}`;
  return { id: body.id, path, etag: await etagOf(path) };
}

const etagOf = async (path: string, client = creator) => (await client.get(path)).headers.get('etag') ?? '';

const patch = (path: string, body: unknown, ifMatch: string, client = creator) =>
  client.send('PATCH', path, body, { 'if-match': ifMatch });

const versionIn = async (field: string, id: string, client: Client = creator): Promise<string> =>
  (await client.graphql(`query($id: ID!) { ${field}(id: $id) { version } }`, { id }))[field].version;

test('a space, collection, organization and change request each say their version, the same to everybody', async () => {
  const { id: spaceId } = await newSpace();
  const collection = await creator.post(`/v1/orgs/${organizationId}/collections`, { title: 'Guides' });
  const changeRequest = await creator.post(`/v1/spaces/${spaceId}/change-requests`, {});
  await grant(spaceId, reader.userId, 'read');
  await grant(collection.body.id, reader.userId, 'read');
  const all: [string, string, string][] = [
    ['space', spaceId, `/v1/spaces/${spaceId}`],
    ['collection', collection.body.id, `/v1/collections/${collection.body.id}`],
    ['organization', organizationId, `/v1/orgs/${organizationId}`],
    ['changeRequest', changeRequest.body.id, `/v1/spaces/${spaceId}/change-requests/${changeRequest.body.number}`],
  ];
  for (const [field, id, path] of all) {
    const version = await versionIn(field, id);
    expect(await versionIn(field, id, reader)).toBe(version);
    expect(await etagOf(path)).toMatch(new RegExp(`^"${version}\\.[0-9a-f]{16}"$`));
    expect(await etagOf(path, reader)).toMatch(new RegExp(`^"${version}\\.`));
  }
});

test('so do a user, a webhook, a comment and a reply, whose changes and deletions expect it', async () => {
  const { path: space } = await newSpace();
  const comment = await admin.post(`${space}/comments`, { body: { markdown: 'Why?' } });
  const comments = `${space}/comments/${comment.body.id}`;
  const reply = await admin.post(`${comments}/replies`, { body: { markdown: 'So.' } });
  const webhook = await admin.post(`/v1/orgs/${organizationId}/webhooks`, { url: 'https://hooks.example/' });
  const edit = { body: { markdown: 'Why not?' } };
  const all: [string, string, string, unknown, string, Record<string, unknown>][] = [
    [
      'User',
      admin.userId,
      `/v1/users/${admin.userId}`,
      { displayName: 'Ada' },
      'updateUser',
      { userId: admin.userId, displayName: 'Bob' },
    ],
    [
      'Webhook',
      webhook.body.id,
      `/v1/webhooks/${webhook.body.id}`,
      { label: 'Chat' },
      'updateWebhook',
      { webhookId: webhook.body.id, label: 'x' },
    ],
    ['Comment', comment.body.id, comments, edit, 'updateComment', { commentId: comment.body.id, resolved: true }],
    [
      'CommentReply',
      reply.body.id,
      `${comments}/replies/${reply.body.id}`,
      edit,
      'updateCommentReply',
      { commentReplyId: reply.body.id, ...edit },
    ],
  ];
  const versionOf = async (type: string, id: string) =>
    (await admin.graphql(`query($id: ID!) { node(id: $id) { ... on ${type} { version } } }`, { id })).node.version;
  for (const [type, id, path, body, mutation, input] of all) {
    const etag = await etagOf(path, admin);
    const first = await versionOf(type, id);
    expect([type, etag]).toEqual([type, expect.stringMatching(new RegExp(`^"${first}\\.[0-9a-f]{16}"$`))]);
    const method = type.startsWith('Comment') ? 'PUT' : 'PATCH';
    const send = (ifMatch: string, how = method) =>
      admin.send(how, path, how === 'DELETE' ? undefined : body, { 'if-match': ifMatch });
    expect([type, (await send('"another"')).status]).toEqual([type, 412]);
    expect([type, await etagOf(path, admin)]).toEqual([type, etag]);
    const done = await send(etag);
    expect([type, done.status, done.headers.get('etag')]).toEqual([type, 200, await etagOf(path, admin)]);
    expect([type, (await send(etag)).status]).toEqual([type, 412]);

    const second = await versionOf(type, id);
    const mutate = (expectedVersion: string) => admin.mutate(mutation, { ...input, expectedVersion }, '__typename');
    await expect(mutate(first)).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    await mutate(second);
    expect(await versionOf(type, id)).not.toBe(second);
    if (type === 'User') continue;
    expect([type, (await send(etag, 'DELETE')).status]).toEqual([type, 412]);
    if (type !== 'Comment')
      expect([type, (await send(await etagOf(path, admin), 'DELETE')).status]).toEqual([type, 204]);
  }
  expect((await admin.send('DELETE', comments, undefined, { 'if-match': await etagOf(comments, admin) })).status).toBe(
    204,
  );
});

test('failures of deliveries are no change of a webhook, and that it is paused for them is', async () => {
  const { body } = await admin.post(`/v1/orgs/${organizationId}/webhooks`, { url: 'https://hooks.example/' });
  const etag = () => etagOf(`/v1/webhooks/${body.id}`, admin).then((tag) => tag.split('.')[0]);
  const set = (values: Record<string, unknown>) =>
    db.updateTable('webhook').set(values).where('id', '=', body.id).execute();
  const before = await etag();
  await set({ failureStreak: 3 });
  expect(await etag()).toBe(before);
  await set({ pausedAt: '2026-01-01T00:00:00.000Z' });
  expect(await etag()).not.toBe(before);
});

test('every change makes another version, two in one millisecond too; opening a change request is none', async () => {
  const { id, path } = await newSpace();
  const seen = [await versionIn('space', id)];
  for (const title of ['A', 'B', 'A']) {
    await db.updateTable('space').set({ title, updatedAt: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute();
    seen.push(await versionIn('space', id));
  }
  expect(new Set(seen).size).toBe(4);
  await creator.post(`${path}/change-requests`, {});
  expect(await versionIn('space', id)).toBe(seen.at(-1));
});

test('a read that would say the same again is 304 without a body', async () => {
  const { path, etag } = await newSpace();
  const get = (header: string) => creator.send('GET', path, undefined, { 'if-none-match': header });
  const same = await get(`"other", ${etag}`);
  expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, '', etag]);
  expect(same.headers.get('cache-control')).toBe('private, no-cache');
  expect((await get('*')).status).toBe(304);
  expect((await get('"other"')).status).toBe(200);
  await creator.patch(path, { title: 'Changed' });
  expect((await get(etag)).status).toBe(200);
});

test('what an answer shows beside the resource changes its tag, and not the version', async () => {
  const { path, etag } = await newSpace();
  await creator.post(`${path}/change-requests`, {});
  const { status, headers } = await creator.send('GET', path, undefined, { 'if-none-match': etag });
  expect(status).toBe(200);
  expect(headers.get('etag')).not.toBe(etag);
  expect((await patch(path, { title: 'Still the same version' }, etag)).status).toBe(200);
});

test('a change is made while the resource is in the named version, and answers with the next', async () => {
  const { path, etag } = await newSpace();
  const first = await patch(path, { title: 'First' }, `"nothing", ${etag}`);
  expect(first.status).toBe(200);
  const next = first.headers.get('etag') ?? '';
  expect(next).toBe(await etagOf(path));
  expect(next).not.toBe(etag);
  const late = await patch(path, { title: 'Late' }, etag);
  expect([late.status, late.body.error.code]).toEqual([412, 412]);
  expect((await creator.get(path)).body.title).toBe('First');
  expect((await patch(path, { title: 'Second' }, next)).status).toBe(200);
});

test.each(['"nothing"', 'unquoted', ''])('no version is named by If-Match: %s', async (header) => {
  const { path } = await newSpace();
  expect((await patch(path, { title: 'No' }, header)).status).toBe(412);
});

test('a weak tag names no version, and * names any', async () => {
  const { path, etag } = await newSpace();
  expect((await patch(path, { title: 'No' }, `W/${etag}`)).status).toBe(412);
  expect((await patch(path, { title: 'Any' }, '*')).status).toBe(200);
});

test('in the graph the version goes round by payloads', async () => {
  const { id } = await newSpace();
  const update = (expectedVersion: string, title: string) =>
    creator.mutate('updateSpace', { spaceId: id, title, expectedVersion }, 'space { title version }');
  const { space } = await update(await versionIn('space', id), 'One');
  const { space: next } = await update(space.version, 'Two');
  expect(next.version).not.toBe(space.version);
  await expect(update(space.version, 'Three')).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  await expect(update('', 'Three')).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  expect((await creator.graphql('query($id: ID!) { space(id: $id) { title } }', { id })).space.title).toBe('Two');
});

test('of many who saw one version, one alone makes its change', async () => {
  const { path, etag } = await newSpace();
  const titles = Array.from({ length: 10 }, (_, index) => `Title ${index}`);
  const answers = await Promise.all(titles.map((title) => patch(path, { title }, etag)));
  const made = titles.filter((_, index) => answers[index]?.status === 200);
  expect(made).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(9);
  expect((await creator.get(path)).body.title).toBe(made[0]);
});

/** A command about a space that does what it is told between its first look and its lock. */
const slowCommand = (meanwhile: (spaceId: string) => Promise<unknown>, lock: 'for no key update' | undefined) =>
  command({
    name: 'slow',
    scope: 'write',
    description: 'Looks, waits, locks.',
    input: z.object({ spaceId: idOf('space') }),
    versioned: 'spaceId',
    async run(ctx, { spaceId }) {
      await spaceFor(ctx, spaceId, 'edit');
      await meanwhile(spaceId);
      await spaceFor(ctx, spaceId, 'edit', lock ? { lock } : {});
      return { spaceId };
    },
  });

test('what counts is the row under its lock, not as it was seen before', async () => {
  const { id } = await newSpace();
  const expectedVersions = [await versionIn('space', id)];
  const touch = (spaceId: string) =>
    db.updateTable('space').set({ title: 'Meanwhile' }).where('id', '=', spaceId).execute();
  const send = (operation: ReturnType<typeof slowCommand>) => operation(context, { spaceId: id }, { expectedVersions });
  expect(await send(slowCommand(async () => {}, 'for no key update'))).toEqual({ spaceId: id });
  const unlocked = send(slowCommand(async () => {}, undefined));
  await expect(unlocked).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  const touched = send(slowCommand(touch, 'for no key update'));
  await expect(touched).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
});

test('a change request is compared by whichever name it is given', async () => {
  const { id: spaceId, path } = await newSpace();
  const { body } = await creator.post(`${path}/change-requests`, {});
  const edit = command({
    name: 'edit',
    scope: 'write',
    description: 'Changes the subject.',
    input: z.object({ spaceId: idOf('space'), changeRequestId: idOf('cr') }),
    versioned: 'changeRequestId',
    async run(ctx, input) {
      const seen = await changeRequestFor(ctx, input.changeRequestId, 'edit', input);
      const { id } = await changeRequestFor(ctx, seen.id, 'edit', { lock: 'for no key update' });
      await ctx.db.updateTable('change_request').set({ subject: 'Edited' }).where('id', '=', id).execute();
    },
  });
  for (const name of [String(body.number), body.id]) {
    const terms = { expectedVersions: [await versionIn('changeRequest', body.id)] };
    await edit(context, { spaceId, changeRequestId: name }, terms);
    const again = edit(context, { spaceId, changeRequestId: name }, terms);
    await expect(again).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  }
});

test('an organization is changed in the named version alone', async () => {
  const path = `/v1/orgs/${organizationId}`;
  const etag = await etagOf(path, admin);
  const first = await patch(path, { title: 'Acme Ltd' }, etag, admin);
  expect(first.status).toBe(200);
  expect(first.headers.get('etag')).toBe(await etagOf(path, admin));
  expect((await patch(path, { title: 'Acme Inc' }, etag, admin)).status).toBe(412);
  const input = { organizationId, title: 'Acme Inc', expectedVersion: etag.slice(1, 25) };
  await expect(admin.mutate('updateOrganization', input, 'organization { id }')).rejects.toMatchObject({
    code: 'PRECONDITION_FAILED',
  });
  expect((await admin.get(path)).body.title).toBe('Acme Ltd');
});

test('a space that was changed meanwhile is not deleted, and one that is gone has no version', async () => {
  const { path, etag, id } = await newSpace();
  const remove = (header: string) => creator.send('DELETE', path, undefined, { 'if-match': header });
  await creator.patch(path, { title: 'Changed' });
  expect((await remove(etag)).status).toBe(412);
  expect((await creator.get(path)).body.deletedAt).toBeUndefined();
  expect((await remove(await etagOf(path))).status).toBe(204);
  await grant(id, reader.userId, 'read');
  const gone = { 'if-match': etag };
  expect((await reader.send('DELETE', path, undefined, gone)).status).toBe(412);
  expect((await reader.send('DELETE', path)).status).toBe(204);
});

test('a write to something without a version does not happen on a condition', async () => {
  const headers = { 'if-match': '"something"' };
  expect((await creator.send('POST', '/v1/user/tokens', { label: 'never' }, headers)).status).toBe(412);
  const tokens = await db.selectFrom('api_token').where('label', '=', 'never').selectAll().execute();
  expect(tokens).toEqual([]);
});

test('who may not see or change it, and a faulty input, are refused before the version counts', async () => {
  const { path, id } = await newSpace();
  const stale = '"0".0';
  expect((await patch(path, { title: 'No' }, stale, outsider)).status).toBe(404);
  await grant(id, reader.userId, 'read');
  expect((await patch(path, { title: 'No' }, stale, reader)).status).toBe(403);
  expect((await patch(path, { title: 'x'.repeat(51) }, stale)).status).toBe(400);
  const rules = {
    mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: ['user_nobody'] }] },
  };
  expect((await patch(path, rules, stale)).status).toBe(400);
});

test('a request that is sent again is answered, though its version has passed by its own doing', async () => {
  const { path, etag } = await newSpace();
  const send = () =>
    creator.send('PATCH', path, { title: 'Kept' }, { 'if-match': etag, 'idempotency-key': 'conditional' });
  const [first, again] = [await send(), await send()];
  expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
});

test('a condition costs no statement', async () => {
  const { path } = await newSpace();
  const plain = statementsOf(await creator.patch(path, { title: 'Plain' }));
  expect(statementsOf(await patch(path, { title: 'Conditional' }, await etagOf(path)))).toBe(plain);
});
