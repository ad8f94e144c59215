import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { world } from '../../world.ts';
import { asked } from './conversations.ts';

const here = await world();
const { app, admin, creator, reader, guest, outsider, anonymous, organizationId } = here;
const path = `/v1/orgs/${organizationId}/conversations`;
const source = `integration:api:${admin.userId}`;

const only = (id: string) =>
  `nodes { id source subject parts { type role body } metadata { url createdAt attributes { key value } } } ${id}`;

const listed = async () => (await admin.get(`${path}?limit=100`)).body.items as { id: string; subject?: string }[];

const stored = async (subject: string) => {
  const found = (await listed()).find((item) => item.subject === subject);
  if (!found) throw new Error(`There is no conversation "${subject}".`);
  return found.id;
};

test('a conversation is ingested, and read in full on both transports', async () => {
  const conversation = {
    id: 'ticket-1',
    subject: 'First',
    metadata: {
      url: 'https://desk.example.com/tickets/1',
      attributes: { plan: 'pro', browser: 'Firefox' },
      createdAt: '2026-03-01T10:00:00+02:00',
    },
    parts: [
      { type: 'message', role: 'user', body: 'How do I invite a colleague?' },
      { type: 'message', role: 'team-member', body: 'In the settings.' },
      { type: 'message', role: 'assistant', body: '**Anything** else?' },
    ],
  };
  const answer = await admin.restAs('ingestConversation', 'POST', path, conversation);
  expect([answer.status, answer.body]).toEqual([204, '']);
  const id = await stored('First');
  const { body } = await reader.restAs('getConversationById', 'GET', `${path}/${id}`);
  expect(body).toMatchObject({
    conversation: {
      object: 'conversation',
      id,
      subject: 'First',
      source,
      createdAt: '2026-03-01T08:00:00.000Z',
      urls: { source: 'https://desk.example.com/tickets/1' },
    },
    parts: conversation.parts,
    metadata: { ...conversation.metadata, createdAt: '2026-03-01T08:00:00.000Z' },
  });
  const { organization } = await reader.graphql(
    `{ organization(id: "${organizationId}") { conversation(id: "${id}") { id subject source processedAt parts { role body }
      metadata { url attributes { key value } } issues { totalCount } } } }`,
  );
  expect(organization.conversation).toEqual({
    id,
    subject: 'First',
    source,
    processedAt: null,
    parts: [
      { role: 'USER', body: 'How do I invite a colleague?' },
      { role: 'TEAM_MEMBER', body: 'In the settings.' },
      { role: 'ASSISTANT', body: '**Anything** else?' },
    ],
    metadata: {
      url: 'https://desk.example.com/tickets/1',
      attributes: [
        { key: 'plan', value: 'pro' },
        { key: 'browser', value: 'Firefox' },
      ],
    },
    issues: { totalCount: 0 },
  });
});

test('a list of conversations is ingested at once, and the graph returns them', async () => {
  expect(
    (await admin.post(path, [asked('a', 'One', { subject: 'List A' }), asked('b', 'Two', { subject: 'List B' })]))
      .status,
  ).toBe(204);
  expect((await listed()).map(({ subject }) => subject)).toEqual(expect.arrayContaining(['List A', 'List B']));
  const conversations = [asked('c', 'Three'), asked('d', 'Four'), asked('c', 'Five')].map(({ id, parts }) => ({
    id,
    parts: parts.map((part) => ({ ...part, type: 'MESSAGE', role: 'USER' })),
  }));
  const given = { organizationId, conversations };
  const payload = await admin.mutate(
    'ingestConversations',
    given,
    'conversations { id parts { body } } organization { id }',
  );
  expect(payload.conversations.map(({ parts }: { parts: object }) => parts)).toEqual([
    [{ body: 'Five' }],
    [{ body: 'Four' }],
  ]);
  expect(payload.organization.id).toBe(organizationId);
});

test('the same conversation again changes nothing; a changed one replaces it under its id', async () => {
  await admin.post(path, asked('again', 'Before', { subject: 'Again' }));
  const id = await stored('Again');
  const read = async () => (await admin.get(`${path}/${id}`)).body;
  const row = () => app.services.db.selectFrom('conversation').where('id', '=', id).selectAll().executeTakeFirst();
  const before = await row();
  await admin.post(path, asked('again', 'Before', { subject: 'Again' }));
  expect(await row()).toEqual(before);
  await admin.post(path, asked('again', 'After', { subject: 'Again' }));
  expect((await read()).parts).toEqual([{ type: 'message', role: 'user', body: 'After' }]);
  expect((await read()).conversation.createdAt).toBe(before?.createdAt);
});

test('concurrent lists with the same conversations in other orders leave one of each', async () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    asked(`race-${index}`, `Question ${index}`, { subject: 'Race' }),
  );
  const orders = [many, many.toReversed(), many.slice(20).concat(many.slice(0, 20))];
  const answers = await Promise.all(orders.map((order) => admin.post(path, order)));
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
  expect((await listed()).filter(({ subject }) => subject === 'Race')).toHaveLength(40);
});

test('a call that waits for another with the same new conversation answers with it', async () => {
  const { db } = app.services;
  const given = { id: 'both', parts: [{ type: 'MESSAGE', role: 'USER', body: 'How do I sign out?' }] };
  const ingest = () =>
    admin.mutate('ingestConversations', { organizationId, conversations: [given] }, 'conversations { id }');
  const ingested = await ingest();
  const named = (externalId: string) =>
    sql`update conversation set external_id = ${externalId} where id = ${ingested.conversations[0].id}`;
  await named('other').execute(db);
  let waiting: Promise<unknown> | undefined;
  // Like a call that has inserted the conversation and has not committed.
  await db.transaction().execute(async (transaction) => {
    await named('both').execute(transaction);
    waiting = ingest();
    await vi.waitFor(
      async () => {
        const { rows } = await sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
        expect(rows).toHaveLength(1);
      },
      { timeout: 10_000, interval: 20 },
    );
  });
  expect(await waiting).toEqual(ingested);
});

/**
 * The longest time between two turns of the event loop while `act` runs, and the time that it takes, in milliseconds.
 */
async function longestTurn(act: () => Promise<unknown>): Promise<{ longest: number; total: number }> {
  const began = performance.now();
  const turns = [began];
  let isRunning = true;
  const turn = () => {
    turns.push(performance.now());
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  await act();
  isRunning = false;
  const longest = Math.max(...turns.slice(1).map((time, index) => time - (turns[index] ?? 0)));
  return { longest, total: performance.now() - began };
}

test('redacting attributes does not hold up other requests', async () => {
  const attributes = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`a${index}`, '1 2 3 4 '.repeat(125)]),
  );
  const many = (attempt: number) =>
    Array.from({ length: 10 }, (_, index) => ({ id: `long-${attempt}-${index}`, parts: [], metadata: { attributes } }));
  // Other programs and collections of garbage make single turns long: the shortest of several attempts counts.
  let share = 1;
  for (let attempt = 0; attempt < 5 && share >= 1 / 3; attempt++) {
    const { longest, total } = await longestTurn(async () => {
      expect((await admin.post(path, many(attempt))).status).toBe(204);
    });
    share = Math.min(share, longest / total);
  }
  expect(share).toBeLessThan(1 / 3);
});

test('nothing personal or secret is stored: not in the subject, nor in bodies, nor in attributes', async () => {
  const secrets = ['jane@example.com', '+49 30 1234567', '4111 1111 1111 1111', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'];
  const text = secrets.join(', ');
  await admin.post(
    path,
    asked('secret', text, { subject: `Redacted ${text}`, metadata: { attributes: { note: text } } }),
  );
  const rows = await app.services.db
    .selectFrom('conversation')
    .where('externalId', '=', 'secret')
    .selectAll()
    .execute();
  const all = JSON.stringify(rows);
  for (const secret of secrets) expect(all).not.toContain(secret);
  expect(rows[0]?.subject).toBe('Redacted [email], [phone], [card], [token]');
});

test('text of any characters is stored as far as it can be', async () => {
  const body = `a\u0000b\r\nc \ud800 <script>alert(1)</script> ${'[x]('.repeat(2_000)}`;
  expect((await admin.post(path, asked('odd', body, { subject: 'Odd' }))).status).toBe(204);
  const { parts } = (await admin.get(`${path}/${await stored('Odd')}`)).body;
  expect(parts[0].body.startsWith('ab\nc \ufffd <script>')).toBe(true);
});

const part = { type: 'message', role: 'user', body: 'x' };

test.each([
  [{ id: 'x' }, ['parts']],
  [{ id: '', parts: [] }, ['id']],
  [{ id: 'x'.repeat(256), parts: [] }, ['id']],
  // Without these characters, it would be another ID.
  [{ id: 'x\u0000', parts: [] }, ['id']],
  [{ id: 'x\ud800', parts: [] }, ['id']],
  [{ id: 'x', parts: [], metadata: { attributes: { 'a\u0000': 'b' } } }, ['metadata', 'attributes', 'a\u0000']],
  [{ id: 'x', parts: [], subject: 'x'.repeat(513) }, ['subject']],
  [{ id: 'x', parts: [{ ...part, role: 'robot' }] }, ['parts', 0, 'role']],
  [{ id: 'x', parts: [{ ...part, body: 'x'.repeat(1_000_000) }] }, ['parts', 0, 'body']],
  [{ id: 'x', parts: Array.from({ length: 10_000 }, () => part) }, ['parts']],
  [{ id: 'x', parts: Array.from({ length: 9 }, () => ({ ...part, body: 'x'.repeat(90_000) })) }, ['parts']],
  [{ id: 'x', parts: [], metadata: { url: 'javascript:alert(1)' } }, ['metadata', 'url']],
  [{ id: 'x', parts: [], metadata: { createdAt: '0000-01-01T00:00:00Z' } }, ['metadata', 'createdAt']],
  [{ id: 'x', parts: [], metadata: { createdAt: '9999-12-31T23:59:59-01:00' } }, ['metadata', 'createdAt']],
  [{ id: 'x', parts: [], metadata: { attributes: { a: 1 } } }, ['metadata', 'attributes', 'a']],
  [
    [{ id: 'x', parts: [] }, { id: 'y' }],
    [1, 'parts'],
  ],
])('bad input %# is 400 and says where', async (body, at) => {
  const answer = await admin.post(path, body);
  expect([answer.status, answer.body.error.issues[0].path]).toEqual([400, at]);
});

test('a list may have 500 conversations, and not more', async () => {
  const many = Array.from({ length: 501 }, (_, index) => asked(`many-${index}`, 'x'));
  expect((await admin.post(path, many)).status).toBe(400);
  expect((await admin.post(path, [])).status).toBe(400);
  expect((await admin.post(path, many.slice(1))).status).toBe(204);
});

test('only admins ingest; members with a role read; others do not', async () => {
  expect((await creator.post(path, asked('no', 'No'))).status).toBe(403);
  expect((await guest.post(path, asked('no', 'No'))).status).toBe(403);
  expect((await outsider.post(path, asked('no', 'No'))).status).toBe(404);
  expect((await anonymous.post(path, asked('no', 'No'))).status).toBe(401);
  const id = (await listed())[0]?.id;
  expect((await reader.get(path)).status).toBe(200);
  expect((await reader.get(`${path}/${id}`)).status).toBe(200);
  for (const [caller, status] of [
    [guest, 403],
    [outsider, 404],
  ] as const) {
    expect((await caller.get(path)).status).toBe(status);
    expect((await caller.get(`${path}/${id}`)).status).toBe(status);
  }
  expect((await admin.get(`/v1/orgs/${here.otherOrganizationId}/conversations/${id}`)).status).toBe(404);
  expect(await guest.graphql(`{ node(id: "${id}") { id } }`)).toEqual({ node: null });
  expect(await outsider.graphql(`{ node(id: "${id}") { id } }`)).toEqual({ node: null });
});

test('lists are newest first, by source and page by page', async () => {
  const dated = ['2020-01-02', '2020-01-03', '2020-01-01'].map((day) =>
    asked(day, 'x', { subject: day, metadata: { createdAt: `${day}T00:00:00Z` } }),
  );
  await admin.post(path, dated);
  const subjects = (await listed()).map(({ subject }) => subject);
  const { body } = await admin.restAs('listConversations', 'GET', `${path}?limit=1000&source=${source}`);
  expect(body.items.slice(-3).map(({ subject }: { subject: string }) => subject)).toEqual([
    '2020-01-03',
    '2020-01-02',
    '2020-01-01',
  ]);
  expect(subjects).toHaveLength(100);
  expect((await admin.restAs('listConversations', 'GET', `${path}?source=email`)).body.items).toEqual([]);
  const { organization } = await admin.graphql(
    `{ organization(id: "${organizationId}") { conversations(last: 1, source: "${source}") { ${only('totalCount')} } } }`,
  );
  expect(organization.conversations.nodes[0].subject).toBe('2020-01-01');
  expect(organization.conversations.totalCount).toBe(body.items.length);
});

test('one conversation is deleted by admins, with its issue', async () => {
  await admin.post(path, asked('gone', 'Bye', { subject: 'Gone' }));
  const id = await stored('Gone');
  expect((await creator.delete(`${path}/${id}`)).status).toBe(403);
  expect((await outsider.delete(`${path}/${id}`)).status).toBe(404);
  expect((await admin.delete(`${path}/${id}`)).status).toBe(204);
  expect((await admin.get(`${path}/${id}`)).status).toBe(404);
  expect((await admin.delete(`${path}/${id}`)).status).toBe(204);
  const payload = await admin.mutate('deleteConversation', { conversationId: id }, 'deletedId organization { id }');
  expect(payload).toEqual({ deletedId: null, organization: null });
});

test('all conversations of a source are deleted at once, and none of others', async () => {
  const { db } = app.services;
  await db.updateTable('conversation').set({ source: 'email' }).where('externalId', '=', 'again').execute();
  const before = (await admin.get(`${path}?limit=1000`)).body.items.length;
  const mine = `/v1/orgs/${organizationId}/conversations-sources/${encodeURIComponent(source)}`;
  expect((await creator.delete(mine)).status).toBe(403);
  expect((await outsider.delete(mine)).status).toBe(404);
  expect((await admin.delete(mine)).status).toBe(204);
  expect(
    (await admin.get(`${path}?limit=1000`)).body.items.map(({ source: from }: { source: string }) => from),
  ).toEqual(['email']);
  const given = { organizationId, source: 'email' };
  expect(await admin.mutate('purgeConversations', given, 'deletedCount organization { id }')).toEqual({
    deletedCount: 1,
    organization: { id: organizationId },
  });
  expect(before).toBeGreaterThan(500);
  expect(await admin.mutate('purgeConversations', given, 'deletedCount')).toEqual({ deletedCount: 0 });
});
