import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { updateChangeRequestContent } from '../../src/domain/content/editing/update-change-request-content.ts';
import { updateSpaceContent } from '../../src/domain/content/editing/update-space-content.ts';
import type { Context } from '../../src/platform/context/context.ts';
import { claimBatch, type EventConsumer, registerEventConsumers } from '../../src/platform/events/event-consumer.ts';
import { makeEventSignal } from '../../src/platform/events/event-signal.ts';
import { endOfEvents, readEvents } from '../../src/platform/events/read-events.ts';
import { recordEvent } from '../../src/platform/events/record-event.ts';
import { repairEventOrder } from '../../src/platform/events/repair-event-order.ts';
import { administer } from '../database.ts';
import { settled } from '../settled.ts';
import { world } from '../world.ts';

const { app, admin, creator, reader, outsider, anonymous, organizationId, otherOrganizationId, databaseUrl } =
  await world();
const { db, em, log } = app.services;

const ctx: Context = {
  actor: { kind: 'user', userId: creator.userId, isOperator: false, by: 'token' },
  em: em.fork(),
  db,
  services: app.services,
  requestId: 'req-test',
  log,
  inTransaction: false,
};

/** The kinds of the events that `act` leaves behind. */
async function kindsAfter(act: () => Promise<unknown>): Promise<string[]> {
  await settled(db);
  const after = await endOfEvents(db);
  await act();
  await settled(db);
  return (await readEvents(db, { after, limit: 100 })).map(({ kind }) => kind);
}

const newSpace = async (title = 'Guide') =>
  (await creator.mutate('createSpace', { organizationId, title }, 'space { id }')).space.id as string;

const listed = async (query = '') =>
  (await admin.get(`/v1/orgs/${organizationId}/events?limit=1000${query}`)).body.items;

const PAGE = [{ insertPage: { title: 'Start' } }];

test('commands record type, actor and target', async () => {
  const spaceId = await newSpace();
  await settled(db);
  const [event] = await listed(`&type=space_created&space=${spaceId}`);
  expect(event).toEqual({
    object: 'event',
    id: expect.stringMatching(/^event_/),
    type: 'space_created',
    organization: organizationId,
    space: spaceId,
    actor: creator.userId,
    ids: { spaceId },
    client: { kind: 'token', apiTokenId: expect.stringMatching(/^token_/), address: expect.any(String) },
    changes: [],
    createdAt: expect.stringMatching(/Z$/),
  });
});

test('every type is recorded by its command', async () => {
  const spaceId = await newSpace();
  const changeSpace = (mutation: string, input: object, selection: string) => () =>
    creator.mutate(mutation, { spaceId, ...input }, selection);
  expect(await kindsAfter(changeSpace('updateSpace', { title: 'Other' }, 'space { id }'))).toEqual(['space_updated']);
  expect(await kindsAfter(() => updateSpaceContent(ctx, { spaceId, changes: PAGE }))).toEqual([
    'space_content_updated',
  ]);
  expect(await kindsAfter(changeSpace('duplicateSpace', {}, 'space { id }'))).toEqual(['space_created']);
  const { changeRequest } = await creator.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const edit = { changeRequestId: changeRequest.id, changes: PAGE };
  expect(await kindsAfter(() => updateChangeRequestContent(ctx, edit))).toEqual(['change_request_content_updated']);
  expect(await kindsAfter(changeSpace('deleteSpace', {}, 'deletedId'))).toEqual(['space_deleted']);
  expect(await kindsAfter(changeSpace('restoreSpace', {}, 'space { id }'))).toEqual(['space_restored']);
  expect(await kindsAfter(() => creator.mutate('createCollection', { organizationId }, 'collection { id }'))).toEqual([
    'collection_created',
  ]);
  expect(
    await kindsAfter(() =>
      admin.mutate('updateOrganization', { organizationId, title: 'Acme 2' }, 'organization { id }'),
    ),
  ).toEqual(['organization_updated']);
  expect(await kindsAfter(() => admin.post('/v1/orgs', { title: 'New one' }))).toEqual(['organization_created']);
  expect(await kindsAfter(() => admin.post('/v1/users', { email: 'ada@example.com', displayName: 'Ada' }))).toEqual([
    'user_created',
  ]);
  expect(await kindsAfter(() => reader.patch(`/v1/users/${reader.userId}`, { displayName: 'R.' }))).toEqual([
    // Of the account, and of the organization of its owner.
    ...['user_updated', 'user_updated'],
  ]);
  let tokenId = '';
  const createToken = async () => {
    tokenId = (await reader.post('/v1/user/tokens', { label: 'one' })).body.id;
  };
  expect(await kindsAfter(createToken)).toEqual(['api_token_created', 'api_token_created']);
  expect(await kindsAfter(() => reader.delete(`/v1/user/tokens/${tokenId}`))).toEqual([
    ...['api_token_revoked', 'api_token_revoked'],
  ]);
});

test('commands without a change record nothing', async () => {
  const spaceId = await newSpace();
  const attempts = async () => {
    await creator.patch(`/v1/spaces/${spaceId}`, {});
    await creator.patch(`/v1/spaces/${spaceId}`, { title: 'x'.repeat(51) });
    await reader.delete(`/v1/spaces/${spaceId}`);
    await outsider.delete(`/v1/spaces/${spaceId}`);
    await creator.post(`/v1/spaces/${spaceId}/restore`);
  };
  expect(await kindsAfter(attempts)).toEqual([]);
});

test('events are read in an order in which no earlier transaction can still commit', async () => {
  const slow = new pg.Client({ connectionString: databaseUrl });
  await slow.connect();
  await slow.query('begin');
  await slow.query(
    `insert into event (id, organization_id, kind, ids) values ('event_slow', $1, 'space_updated', '{}')`,
    [organizationId],
  );
  const spaceId = await newSpace('Fast');
  const idsOf = async () => (await listed()).map(({ id }: { id: string }) => id);
  expect(await listed(`&space=${spaceId}`)).toEqual([]);
  expect(await idsOf()).not.toContain('event_slow');
  await slow.query('commit');
  await slow.end();
  await settled(db);
  const ids = await idsOf();
  const [fast] = await listed(`&space=${spaceId}`);
  expect(ids.indexOf('event_slow')).toBe(ids.indexOf(fast.id) - 1);
});

test('readers that page while others write miss nothing and see nothing twice', async () => {
  await settled(db);
  const after = await endOfEvents(db);
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let count = 0; count < 15; count++)
      await creator.post(`/v1/orgs/${organizationId}/spaces`, { title: `${writer}` });
  });
  let isWriting = true;
  const written = Promise.all(writers).then(() => {
    isWriting = false;
  });
  const seen: string[] = [];
  let place = after;
  while (isWriting || seen.length < 60) {
    const events = await readEvents(db, { organizationIds: [organizationId], after: place, limit: 3 });
    seen.push(...events.map(({ id }) => id));
    place = events.at(-1) ?? place;
  }
  await written;
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(60);
});

test('a list continues after the last event of a client, on both transports', async () => {
  await newSpace('One');
  await settled(db);
  const first = (await admin.get(`/v1/orgs/${organizationId}/events?limit=2`)).body;
  const rest = (await admin.get(`/v1/orgs/${organizationId}/events?limit=1&page=${first.next.page}`)).body.items;
  const since = await listed(`&since=${first.items[1].id}`);
  expect(since[0]).toEqual(rest[0]);
  expect(since).toHaveLength(first.count - 2);
  const data = await admin.graphql(
    `query($id: ID!, $since: ID) { organization(id: $id) { events(first: 1, sinceId: $since, kind: SPACE_CREATED) {
      totalCount nodes { id kind createdAt actorId actor { displayName } spaceId space { title } ids } } } }`,
    { id: organizationId, since: since.at(-2).id },
  );
  expect(data.organization.events).toMatchObject({
    totalCount: 1,
    nodes: [{ id: since.at(-1).id, kind: 'SPACE_CREATED', space: { title: 'One' }, actor: { displayName: 'Creator' } }],
  });
  const { node } = await admin.graphql('query($id: ID!) { node(id: $id) { ... on Event { kind } } }', {
    id: since.at(-1).id,
  });
  expect(node).toEqual({ kind: 'SPACE_CREATED' });
});

test('events require an admin of the organization', async () => {
  const path = `/v1/orgs/${organizationId}/events`;
  const [event] = await listed();
  expect((await creator.get(path)).status).toBe(403);
  expect((await outsider.get(path)).status).toBe(404);
  expect((await anonymous.get(path)).status).toBe(401);
  expect((await outsider.get(`/v1/orgs/${otherOrganizationId}/events?since=${event.id}`)).status).toBe(400);
  const query = `query($id: ID!, $event: ID!) { organization(id: $id) { title events { totalCount } } node(id: $event) { id } }`;
  const { body } = await creator.graphqlRaw(query, { id: organizationId, event: event.id });
  expect(body).toMatchObject({
    data: { organization: { title: expect.any(String), events: null }, node: null },
    errors: [{ extensions: { code: 'FORBIDDEN' } }],
  });
});

test('an admin reads the events of a blocked organization', async () => {
  const setBlocked = (blocked: string | null) =>
    sql`update organization set blocked = ${blocked}::jsonb where id = ${organizationId}`.execute(db);
  await setBlocked('{"reason":"Unpaid"}');
  expect((await admin.get(`/v1/orgs/${organizationId}/events`)).status).toBe(200);
  await setBlocked(null);
});

test('an event outside of a transaction is refused', async () => {
  await expect(recordEvent(ctx, { kind: 'space_created', organizationId })).rejects.toThrow('outside a command');
});

const listeners = `from pg_stat_activity where application_name = 'stemma events' and datname = current_database()`;
const countListeners = async () => (await administer(databaseUrl, `select pid ${listeners}`)).length;

test('a process has a session as long as it runs, also without readers', async () => {
  const before = await countListeners();
  const signal = makeEventSignal(databaseUrl, db, log);
  await expect.poll(countListeners).toBe(before + 1);
  await signal.close();
  await expect.poll(countListeners).toBe(before);
});

test('readers are woken after a commit, also after a lost connection', async () => {
  // Readers also look every few seconds, and again a moment after they were woken. Neither is what is tried here.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const others = await countListeners();
  const signal = makeEventSignal(databaseUrl, db, log);
  let woken = 0;
  const stop = signal.subscribe(() => woken++);
  const wakes = async (act: () => Promise<unknown>) => {
    const before = woken;
    await act();
    await expect.poll(() => woken).toBeGreaterThan(before);
  };
  await expect.poll(countListeners).toBe(others + 1);
  // The connection that begins wakes as well.
  await expect.poll(() => woken).toBe(1);
  await wakes(() => newSpace());
  await wakes(() => administer(databaseUrl, `select pg_terminate_backend(pid) ${listeners}`));
  await wakes(() => newSpace());
  stop();
  await signal.close();
  vi.useRealTimers();
});

test('concurrent commits share a notification', async () => {
  const asked = vi.spyOn(app.services.eventSignal, 'raise').mockImplementation(() => {});
  for (let count = 0; count < 40; count++) await newSpace();
  expect(asked).toHaveBeenCalledTimes(40);

  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const notifications: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => notifications.push(payload));
  await client.query('listen stemma_event');
  const signal = makeEventSignal(databaseUrl, db, log);
  for (let count = 0; count < 40; count++) signal.raise();
  await expect.poll(() => notifications).not.toEqual([]);
  signal.raise();
  await expect.poll(() => notifications.length).toBe(2);
  // All that was sent has come before this.
  await signal.close();
  await administer(databaseUrl, "select pg_notify('stemma_event', 'the last')");
  await expect.poll(() => notifications.at(-1)).toBe('the last');
  await client.end();
  expect(notifications).toEqual(['', '', 'the last']);
});

test('a reader starts at its position, and keeps it', async () => {
  const taken = { all: 0, new: 0 };
  const make = (name: keyof typeof taken, begins: EventConsumer['begins']): EventConsumer => ({
    name,
    begins,
    async take(_ctx, events) {
      taken[name] += events.length;
    },
  });
  const readers = [make('all', 'first-event'), make('new', 'registration')];
  await settled(db);
  const before = (await readEvents(db, { limit: 1_000 })).length;
  await registerEventConsumers(db, readers);
  await newSpace();
  await newSpace();
  await settled(db);
  await registerEventConsumers(db, readers);
  for (const reader of readers) while ((await claimBatch(app.services, reader)) > 0);
  expect(taken).toEqual({ all: before + 2, new: 2 });
  await db.deleteFrom('event_consumer').where('name', 'in', ['all', 'new']).execute();
});

test('events restored from another cluster are ordered by id', async () => {
  await settled(db);
  expect(await repairEventOrder(em)).toBe(false);
  await db.deleteFrom('event_consumer').execute();
  await sql`insert into event_consumer (name, transaction_id, event_id) values ('some', '0', '')`.execute(db);
  const events = await readEvents(db, { limit: 1_000 });
  const readUpTo = events[10];
  await sql`update event_consumer set transaction_id = ${readUpTo?.transactionId}::xid8, event_id = ${readUpTo?.id}`.execute(
    db,
  );
  await sql`update event set transaction_id = '9000000000'::xid8`.execute(db);
  await sql`update event_consumer set transaction_id = '9000000000'::xid8`.execute(db);
  expect(await readEvents(db, { limit: 1 })).toEqual([]);
  expect(await repairEventOrder(em)).toBe(true);
  const mended = await readEvents(db, { limit: 1_000 });
  expect(mended.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toSorted());
  const place = await db
    .selectFrom('event_consumer')
    .select(['transactionId', 'eventId as id'])
    .executeTakeFirstOrThrow();
  expect(place.id).toBe(readUpTo?.id);
  expect((await readEvents(db, { after: place, limit: 1 }))[0]?.id).toBe(mended.find(({ id }) => id > place.id)?.id);
  await newSpace();
  await settled(db);
  expect((await readEvents(db, { limit: 1_000 })).length).toBe(mended.length + 1);
});
