import pino from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { Client } from '../client.ts';
import { spaceWith } from '../publishing/reader-world.ts';
import { settled } from '../settled.ts';
import { world } from '../world.ts';
import { INITIALIZE, McpAgent } from './agent.ts';
import { connected, listen, MODERN } from './sdk-client.ts';

const {
  app,
  admin,
  editor,
  reader,
  guest,
  outsider,
  anonymous,
  organizationId,
  otherOrganizationId,
  databaseUrl,
  url,
  grant,
} = await world();
const { db } = app.services;

const soon = { interval: 20, timeout: 10_000 };

let spaceId = '';
let pageIds: string[] = [];

const uriOf = (pageId: string | undefined, within = '') => `stemma://spaces/${spaceId}${within}/pages/${pageId}`;

const write = (pageId: string | undefined, text: string) => ({ updatePage: { pageId, document: { markdown: text } } });

const edit = (...changes: object[]) => editor.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id }');

/** What happened before is told of by no stream that begins now. */
const follow = async (client: Pick<Client, 'url' | 'token'>, uris: string[]) => {
  await settled(db);
  return listen(await connected(client, MODERN), uris);
};

/** A token of a user that can be revoked. */
async function tokenOf(client: Client) {
  const { apiToken, secret } = await client.mutate('createApiToken', { label: 'Agent' }, 'apiToken { id } secret');
  return { id: apiToken.id as string, client: new Client(url, secret, client.userId) };
}

beforeEach(async () => {
  const pages = ['One', 'Two', 'Three'].map((title) => ({ title, document: { markdown: `${title}.\n` } }));
  ({ spaceId, pageIds } = await spaceWith(admin, organizationId, 'Guides', pages));
});

test('a page that is followed is told of when its text is edited, and others are not', async () => {
  const { updated, followed } = await follow(reader, [uriOf(pageIds[0]), uriOf(pageIds[1])]);
  expect(followed).toEqual([uriOf(pageIds[0]), uriOf(pageIds[1])]);
  await edit(write(pageIds[2], 'Not followed.'));
  await edit({ updatePage: { pageId: pageIds[0], title: 'Another title' } });
  await edit(write(pageIds[1], 'Two, again.'));
  await expect.poll(() => updated, soon).toEqual([uriOf(pageIds[1])]);
  await edit(write(pageIds[0], 'One, again.'), write(pageIds[1], 'Two, a third time.'));
  await expect.poll(() => updated, soon).toEqual([uriOf(pageIds[1]), uriOf(pageIds[0]), uriOf(pageIds[1])]);
});

test('pages of change requests are followed by the id and the number of the change request', async () => {
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id number }');
  const named = [changeRequest.id, changeRequest.number].map((name) => uriOf(pageIds[0], `/change-requests/${name}`));
  const { updated, followed } = await follow(reader, [...named, uriOf(pageIds[0])]);
  expect(followed).toEqual([...named, uriOf(pageIds[0])]);
  const input = { changeRequestId: changeRequest.id, changes: [write(pageIds[0], 'Proposed.')] };
  await editor.mutate('updateChangeRequestContent', input, 'pageIds');
  await expect.poll(() => updated, soon).toEqual(named);
  await admin.mutate('mergeChangeRequest', { changeRequestId: changeRequest.id }, 'result');
  await expect.poll(() => updated, soon).toEqual([...named, uriOf(pageIds[0])]);
});

test('what the caller cannot read is left out, as if it were absent', async () => {
  const absent = uriOf('page_absent');
  const odd = ['stemma://spaces', `stemma://x/${'y'.repeat(5_000)}`, 'https://example.com/', ''];
  const mixed = await follow(reader, [absent, ...odd, uriOf(pageIds[0]), uriOf(pageIds[0])]);
  expect(mixed.followed).toEqual([uriOf(pageIds[0])]);
  for (const uris of [[uriOf(pageIds[0])], [absent], []]) {
    const { followed, subscription } = await follow(outsider, uris);
    expect([followed, await subscription.closed]).toEqual([[], 'graceful']);
  }
});

test('a page that is deleted or hidden from the caller stops quietly, and what can be read goes on', async () => {
  const own = await spaceWith(admin, organizationId, 'Own', [{ title: 'Own', document: { markdown: 'Own.' } }]);
  await admin.mutate('updateSpace', { spaceId: own.spaceId, defaultLevel: 'NONE' }, 'space { id }');
  await grant(own.spaceId, guest.userId, 'read');
  await grant(spaceId, guest.userId, 'read');
  const ownUri = `stemma://spaces/${own.spaceId}/pages/${own.pageIds[0]}`;
  const { updated, followed } = await follow(guest, [ownUri, uriOf(pageIds[0]), uriOf(pageIds[1])]);
  expect(followed).toHaveLength(3);
  await admin.delete(`/v1/spaces/${own.spaceId}/permissions/users/${guest.userId}`);
  const changes = [write(own.pageIds[0], 'Hidden.')];
  await admin.mutate('updateSpaceContent', { spaceId: own.spaceId, changes }, 'pageIds');
  await edit({ deletePage: { pageId: pageIds[1] } });
  await edit(write(pageIds[0], 'Still read.'));
  await expect.poll(() => updated, soon).toEqual([uriOf(pageIds[0])]);
  await grant(own.spaceId, guest.userId, 'read');
  await admin.mutate(
    'updateSpaceContent',
    { spaceId: own.spaceId, changes: [write(own.pageIds[0], 'Back.')] },
    'pageIds',
  );
  await expect.poll(() => updated, soon).toEqual([uriOf(pageIds[0]), ownUri]);
});

test('a space that moves to another organization is followed there', async () => {
  await db
    .insertInto('membership')
    .values({ id: `member_${Date.now()}`, organizationId: otherOrganizationId, userId: admin.userId, role: 'admin' })
    .execute();
  const { updated } = await follow(admin, [uriOf(pageIds[0])]);
  const moved = await admin.post(`/v1/spaces/${spaceId}/transfer`, { organization: otherOrganizationId });
  expect(moved.status).toBe(200);
  await admin.mutate('updateSpaceContent', { spaceId, changes: [write(pageIds[0], 'Moved.')] }, 'pageIds');
  await expect.poll(() => updated, soon).toEqual([uriOf(pageIds[0])]);
});

test('the stream ends when the token is revoked, and tells of nothing after it', async () => {
  const { id, client } = await tokenOf(admin);
  const { updated, subscription } = await follow(client, [uriOf(pageIds[0])]);
  await admin.delete(`/v1/user/tokens/${id}`);
  await edit(write(pageIds[0], 'Secret.'));
  expect(await subscription.closed).toBe('remote');
  expect(updated).toEqual([]);
});

test('any process serves a stream, which ends with a result when the process stops', async () => {
  const other = await createApp({
    config: app.services.config,
    databaseUrl,
    secretKey: app.services.secretKeys.current,
    log: pino({ level: 'error' }),
  });
  let isClosed = false;
  onTestFinished(async () => (isClosed ? undefined : other.close()));
  const there = { url: `http://127.0.0.1:${await other.listen()}`, token: reader.token };
  const { updated, subscription } = await follow(there, [uriOf(pageIds[0])]);
  await edit(write(pageIds[0], 'Elsewhere.'));
  await expect.poll(() => updated, soon).toEqual([uriOf(pageIds[0])]);
  await other.close();
  isClosed = true;
  expect(await subscription.closed).toBe('graceful');
});

const listening = (given: object) => ({
  message: {
    method: 'subscriptions/listen',
    id: 'mine',
    params: {
      ...given,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
  headers: { 'mcp-protocol-version': MODERN, 'mcp-method': 'subscriptions/listen' },
});

test('a stream follows up to 100 pages, an account has up to 20 streams, and wrong requests say what to fix', async () => {
  const send = async (given: object, by: Client = reader) => {
    const { message, headers } = listening(given);
    const { status, body } = await new McpAgent(by).send(message, headers);
    return [status, body.id, body.error?.code, body.error?.message];
  };
  const resourceSubscriptions = Array.from({ length: 101 }, (_, i) => uriOf(`page_${i}`));
  expect(await send({ notifications: { resourceSubscriptions } })).toEqual([
    ...[200, 'mine', -32602],
    expect.stringContaining('at most 100 URIs'),
  ]);
  for (const given of [{}, { notifications: 7 }, { notifications: { resourceSubscriptions: 'x' } }])
    expect((await send(given)).slice(0, 3)).toEqual([200, 'mine', -32602]);
  expect((await send({}, anonymous))[0]).toBe(401);
  const open = [];
  for (let count = 0; count < 20; count++) open.push(await follow(editor, [uriOf(pageIds[0])]));
  const { message, headers } = listening({ notifications: { resourceSubscriptions: [uriOf(pageIds[0])] } });
  const refused = await new McpAgent(editor).send(message, headers);
  expect([refused.status, refused.body.error.message]).toEqual([
    429,
    expect.stringContaining('at most 20 event streams'),
  ]);
  await Promise.all(open.map(({ subscription }) => subscription.close()));
  await expect.poll(async () => (await follow(editor, [uriOf(pageIds[0])])).followed.length, soon).toBe(1);
});

test('lists do not change within the life of a token, so that only pages can be followed', async () => {
  const client = await connected(reader, MODERN);
  expect(client.getServerCapabilities()).toMatchObject({
    tools: { listChanged: false },
    prompts: { listChanged: false },
    resources: { listChanged: false, subscribe: true },
  });
  const asked = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
  const subscription = await client.listen(asked);
  expect([subscription.honoredFilter, await subscription.closed]).toEqual([{}, 'graceful']);
});

test('older versions of the protocol have no subscriptions, and say so', async () => {
  const client = await connected(reader);
  expect(client.getServerCapabilities()?.resources).toEqual({ listChanged: false });
  const agent = new McpAgent(reader);
  const { body } = await agent.send(INITIALIZE);
  expect(body.result.capabilities.resources).toEqual({ listChanged: false });
  for (const method of ['resources/subscribe', 'resources/unsubscribe', 'subscriptions/listen']) {
    const answer = await agent.send({ method, params: { uri: uriOf(pageIds[0]) } });
    expect([answer.status, answer.body.error.code]).toEqual([200, -32601]);
  }
});
