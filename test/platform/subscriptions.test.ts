import pino from 'pino';
import { afterAll, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { forgetToken } from '../../src/platform/access/authenticate.ts';
import { hashSession, hashToken, makeSessionSecret } from '../../src/platform/access/credentials.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { Client } from '../client.ts';
import { siteWith, spaceTitled } from '../publishing/arrange.ts';
import { visitorOf } from '../publishing/visiting.ts';
import { settled } from '../settled.ts';
import { follow as followOn, Stream, type StreamRequest } from '../stream.ts';
import { world } from '../world.ts';

const { app, url, admin, creator, reader, outsider, anonymous, organizationId, databaseUrl } = await world();
const { db } = app.services;

const FOLLOW =
  'subscription($org: ID!, $after: ID) { eventRecorded(organizationId: $org, after: $after) { id kind space { title } } }';

/** The titles of the spaces that events told of. */
const titlesOf = ({ answers }: Stream) => answers.map(({ data }) => data?.eventRecorded.space?.title);

/** A subscription that has begun. */
const follow = (client: Client, options: Partial<StreamRequest> = {}, on = app) =>
  followOn(on, client, { query: FOLLOW, variables: { org: organizationId }, ...options });

const newSpace = (title: string) => creator.mutate('createSpace', { organizationId, title }, 'space { id }');

const soon = { interval: 20 };

/** Another admin, with a token of their own. */
async function anotherAdmin(): Promise<Client & { tokenId: string }> {
  const [userId, tokenId] = [newId('user'), newId('token')];
  const token = `stemma_${userId}`;
  await db
    .insertInto('user')
    .values({ id: userId, email: `${userId}@acme.example`, displayName: 'Other' })
    .execute();
  await db
    .insertInto('api_token')
    .values({ id: tokenId, userId, label: '', secretHash: hashToken(token) })
    .execute();
  await db
    .insertInto('membership')
    .values({ id: newId('member'), organizationId, userId, role: 'admin' })
    .execute();
  return Object.assign(new Client(admin.url, token, userId), { tokenId });
}

test('events are delivered with their ids, in order', async () => {
  const stream = await follow(admin);
  for (const title of ['One', 'Two', 'Three']) await newSpace(title);
  await expect.poll(() => titlesOf(stream), soon).toEqual(['One', 'Two', 'Three']);
  expect([stream.status, stream.type]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const [first] = stream.frames.filter(({ event }) => event === 'next');
  expect(first?.data.data.eventRecorded).toMatchObject({ id: first?.id, kind: 'SPACE_CREATED' });
  expect(stream.isComplete).toBe(false);
  stream.close();
});

test('a client that reconnects misses nothing and gets nothing twice', async () => {
  const stream = await follow(admin);
  await newSpace('Before');
  await expect.poll(() => titlesOf(stream), soon).toEqual(['Before']);
  stream.close();
  const id = stream.frames.find(({ event }) => event === 'next')?.id ?? '';
  await newSpace('Meanwhile');
  await settled(db);
  const byHeader = await follow(admin, { headers: { 'last-event-id': id }, method: 'GET' });
  const byArgument = await follow(admin, { variables: { org: organizationId, after: id } });
  await newSpace('After');
  await expect.poll(() => titlesOf(byHeader), soon).toEqual(['Meanwhile', 'After']);
  await expect.poll(() => titlesOf(byArgument), soon).toEqual(['Meanwhile', 'After']);
  for (const each of [byHeader, byArgument]) each.close();
  const foreign = await new Stream(admin, {
    query: FOLLOW,
    variables: { org: organizationId, after: 'event_x' },
  }).opened();
  await expect.poll(() => foreign.isComplete, soon).toBe(true);
  expect(foreign.answers).toMatchObject([{ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }]);
});

test.each([
  ['an anonymous caller', anonymous, 'UNAUTHENTICATED'],
  ['an outsider', outsider, 'NOT_FOUND'],
  ['a member who is no admin', creator, 'FORBIDDEN'],
])('%s is refused by an event', async (_who, client, code) => {
  const stream = await new Stream(client, { query: FOLLOW, variables: { org: organizationId } }).opened();
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect([stream.status, stream.isComplete]).toEqual([200, true]);
  expect(stream.answers).toMatchObject([{ errors: [{ extensions: { code } }] }]);
});

test('a client that loses the permission gets no further event', async () => {
  const other = await anotherAdmin();
  const stream = await follow(other);
  await newSpace('Allowed');
  await expect.poll(() => titlesOf(stream), soon).toEqual(['Allowed']);
  await db.updateTable('membership').set({ role: 'create' }).where('userId', '=', other.userId).execute();
  await newSpace('Not allowed');
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect(stream.answers.at(-1)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  expect(JSON.stringify(stream.frames)).not.toContain('Not allowed');
  expect(stream.isComplete).toBe(true);
});

test('a stream ends when its token is revoked', async () => {
  const other = await anotherAdmin();
  const stream = await follow(other);
  await other.delete(`/v1/user/tokens/${other.tokenId}`);
  await newSpace('After the revocation');
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect(stream.answers).toMatchObject([{ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] }]);
});

test('a stream ends when its session has ended, also where everyone can read what it follows', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Open');
  const site = await siteWith(admin, organizationId, { visibility: 'public', spaces: [spaceId] });
  await admin.post(`${site.path}/publish`);
  const secret = makeSessionSecret();
  const [secretHash, expiresAt] = [hashSession(secret), new Date(Date.now() + 3_600_000).toISOString()];
  await db.insertInto('session').values({ userId: reader.userId, secretHash, expiresAt }).execute();
  const { publicUrl } = app.services.config;
  const headers = { cookie: `stemma_session=${secret}`, origin: new URL(publicUrl).origin };
  const query = 'subscription($id: ID!) { spaceUpdated(id: $id) { title } }';
  const stream = await follow(anonymous, { query, variables: { id: spaceId }, headers });
  await admin.patch(`/v1/spaces/${spaceId}`, { title: 'Before' });
  await expect.poll(() => stream.answers.length, soon).toBe(1);
  expect(stream.answers[0]?.errors).toBeUndefined();
  await db.deleteFrom('session').where('secretHash', '=', secretHash).execute();
  forgetToken(app.services, secretHash);
  await admin.patch(`/v1/spaces/${spaceId}`, { title: 'After' });
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect(stream.answers.slice(1)).toMatchObject([{ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] }]);
});

/** A space on a published site that is shown to those with a share link, and one of these. */
async function sharedSpace() {
  const spaceId = await spaceTitled(admin, organizationId, 'Shared');
  const site = await siteWith(admin, organizationId, { visibility: 'share-link', spaces: [spaceId] });
  await admin.post(`${site.path}/publish`);
  const { shareLink } = await admin.mutate('createShareLink', { siteId: site.id, name: '' }, 'shareLink { id key }');
  return {
    spaceId,
    siteId: site.id,
    key: shareLink.key as string,
    rename: (title: string) => admin.patch(`/v1/spaces/${spaceId}`, { title }),
    revoke: () => admin.mutate('revokeShareLink', { shareLinkId: shareLink.id }, 'deletedId'),
  };
}

test('the stream of a visitor ends when the share link is revoked that admitted them', async () => {
  const { spaceId, siteId, key, rename, revoke } = await sharedSpace();
  const visitor = await visitorOf(app, url, siteId, { shareKey: key });
  const query = 'subscription($id: ID!) { spaceUpdated(id: $id) { title } }';
  const stream = await follow(visitor, { query, variables: { id: spaceId } });
  await rename('Allowed');
  await expect.poll(() => stream.answers.length, soon).toBe(1);
  expect(stream.answers[0]?.data.spaceUpdated.title).toBe('Allowed');
  await revoke();
  await rename('Not allowed');
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect(stream.answers.slice(1)).toMatchObject([{ errors: [{ extensions: { code: 'NOT_FOUND' } }] }]);
});

test('a share key in a subscription admits to its events until the link is revoked', async () => {
  const { spaceId, key, rename, revoke } = await sharedSpace();
  const profile = 'organization { sites(first: 1) { nodes { publishedProfile(shareKey: $key) { __typename } } } }';
  const query = `subscription($id: ID!, $key: String) { spaceUpdated(id: $id) { title ${profile} } }`;
  const stream = await follow(outsider, { query, variables: { id: spaceId, key } });
  const refused = await follow(outsider, { query, variables: { id: spaceId, key: 'wrong' } });
  expect(refused.answers).toMatchObject([{ errors: [{ extensions: { code: 'NOT_FOUND' } }] }]);
  await rename('Allowed');
  await expect.poll(() => stream.answers.length, soon).toBe(1);
  expect(stream.answers[0]?.data.spaceUpdated.title).toBe('Allowed');
  await revoke();
  await rename('Not allowed');
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect(stream.answers.slice(1)).toMatchObject([{ errors: [{ extensions: { code: 'NOT_FOUND' } }] }]);
});

test('queries can be streamed too, with their errors', async () => {
  const answerOf = async (query: string, method?: 'GET') => {
    const stream = await new Stream(admin, { query, variables: {}, ...(method && { method }) }).opened();
    await expect.poll(() => stream.isOver, soon).toBe(true);
    expect([stream.status, stream.isComplete]).toEqual([200, true]);
    return stream.answers;
  };
  expect(await answerOf('{ __typename }')).toEqual([{ data: { __typename: 'Query' } }]);
  expect(await answerOf('{ nothing }')).toMatchObject([
    { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
  ]);
  const mutation = `mutation { createSpace(input: { organizationId: "${organizationId}" }) { space { id } } }`;
  expect(await answerOf(mutation, 'GET')).toMatchObject([{ errors: [{ message: expect.stringContaining('POST') }] }]);
  const { body } = await admin.graphqlRaw(FOLLOW, { org: organizationId });
  expect(body).toMatchObject({ errors: [{ message: expect.stringContaining('text/event-stream') }] });
});

test('a user has at most 20 streams, over all tokens, and gets single results as JSON beyond them', async () => {
  const { secret: token } = await admin.mutate('createApiToken', { label: 'Another' }, 'secret');
  const clients = [admin, new Client(admin.url, token, admin.userId)];
  let opened = 0;
  const open = () => new Stream(clients[opened++ % 2] ?? admin, { query: FOLLOW, variables: { org: organizationId } });
  const streams = Array.from({ length: 20 }, open);
  for (const stream of streams) await stream.opened();
  const ask = (body: object) => admin.send('POST', '/graphql', body, { accept: 'text/event-stream' });
  const refused = await ask({ query: FOLLOW, variables: { org: organizationId } });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  const single = await ask({ query: '{ __typename }' });
  expect([single.headers.get('content-type'), single.body]).toEqual([
    'application/json; charset=utf-8',
    { data: { __typename: 'Query' } },
  ]);
  for (const stream of streams) stream.close();
  // The service has to notice first that they are gone.
  const reopened = async () => {
    const stream = open();
    await expect.poll(() => stream.status, soon).not.toBe(0);
    stream.close();
    return stream.status;
  };
  await expect.poll(reopened, soon).toBe(200);
});

test('subscribing to a change request requires read access', async () => {
  const spaceId = (await newSpace('With a change')).space.id;
  const { changeRequest } = await creator.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const query = 'subscription($id: ID!) { changeRequestUpdated(id: $id) { id status revision { id } } }';
  const variables = { id: changeRequest.id };
  const stream = await follow(reader, { query, variables });
  const refused = await follow(outsider, { query, variables });
  await creator.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const changes = [{ insertPage: { title: 'New' } }];
  const input = { changeRequestId: changeRequest.id, changes };
  const edited = await creator.mutate('updateChangeRequestContent', input, 'changeRequest { id revision { id } }');
  await expect.poll(() => stream.answers.length, soon).toBe(1);
  expect(stream.answers[0]?.data.changeRequestUpdated).toEqual({ status: 'DRAFT', ...edited.changeRequest });
  expect(refused.answers).toMatchObject([{ errors: [{ extensions: { code: 'NOT_FOUND' } }] }]);

  await db.updateTable('space').set({ defaultLevel: 'none' }).where('id', '=', spaceId).execute();
  await creator.mutate('updateChangeRequestContent', input, 'changeRequest { id }');
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect(stream.answers[1]).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
});

test('each response has its event id, after which a subscription can continue', async () => {
  const spaceId = (await newSpace('Followed')).space.id;
  const { changeRequest } = await creator.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const rename = (subject: string) =>
    creator.mutate('updateChangeRequest', { changeRequestId: changeRequest.id, subject }, 'changeRequest { id }');
  const query =
    'subscription($id: ID!, $after: ID) { changeRequestUpdated(id: $id, after: $after) { subject status } }';
  const stream = await follow(reader, { query, variables: { id: changeRequest.id } });
  await rename('One');
  await expect.poll(() => stream.answers.length, soon).toBe(1);
  stream.close();
  const [frame] = stream.frames.filter(({ event }) => event === 'next');
  expect(stream.answers).toEqual([
    { data: { changeRequestUpdated: { subject: 'One', status: 'DRAFT' } }, extensions: { eventId: frame?.id } },
  ]);
  await rename('Two');
  await settled(db);
  const again = await follow(reader, { query, variables: { id: changeRequest.id, after: frame?.id } });
  await expect.poll(() => again.answers.map(({ data }) => data.changeRequestUpdated.subject), soon).toEqual(['Two']);
  again.close();
});

test('subscribing to a space requires view access, and delivers its settings and content', async () => {
  const spaceId = (await newSpace('Observed')).space.id;
  const query = 'subscription($id: ID!) { spaceUpdated(id: $id) { title revision { id } } }';
  const stream = await follow(reader, { query, variables: { id: spaceId } });
  const refused = await follow(outsider, { query, variables: { id: spaceId } });
  await creator.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  await newSpace('Another');
  await creator.mutate('updateSpace', { spaceId, title: 'Renamed' }, 'space { id }');
  await expect.poll(() => stream.answers.length, soon).toBe(1);
  const changes = [{ insertPage: { title: 'New' } }];
  const { space } = await creator.mutate('updateSpaceContent', { spaceId, changes }, 'space { title revision { id } }');
  await expect.poll(() => stream.answers.length, soon).toBe(2);
  expect(stream.answers[0]?.data.spaceUpdated.title).toBe('Renamed');
  expect(stream.answers[1]?.data.spaceUpdated).toEqual(space);
  expect(refused.answers).toMatchObject([{ errors: [{ extensions: { code: 'NOT_FOUND' } }] }]);
  await creator.mutate('deleteSpace', { spaceId }, 'deletedId');
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect(stream.answers[2]).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
});

test('events of other processes are delivered, and the stream is cut when its process stops', async () => {
  const other = await createApp({
    config: app.services.config,
    databaseUrl,
    secretKey: app.services.secretKeys.current,
    log: pino({ level: 'error' }),
  });
  let isClosed = false;
  afterAll(async () => (isClosed ? undefined : other.close()));
  const url = `http://127.0.0.1:${await other.listen()}`;
  const stream = await follow(new Client(url, admin.token), {}, other);
  await newSpace('Elsewhere');
  await expect.poll(() => titlesOf(stream), soon).toEqual(['Elsewhere']);
  await other.close();
  isClosed = true;
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect(stream.isComplete).toBe(false);
});
