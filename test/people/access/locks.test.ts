import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../../src/platform/database/tables.ts';
import { type RestAnswer, statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { contentOf } from './content.ts';

const { app, organizationId, grant, ...people } = await world();
const { admin, creator, reader, guest } = people;
const { db } = app.services;
const content = contentOf(db, organizationId);

/**
 * Runs `during` while another transaction holds a row and changes access to it; that one commits once `during` waits,
 * with as many statements as given.
 */
async function whileChanged<Answer>(
  change: (transaction: Database) => Promise<unknown>,
  during: () => Promise<Answer>,
  waiting = 1,
): Promise<Answer> {
  const release = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const holder = db.transaction().execute(async (transaction) => {
    await change(transaction);
    isHeld.resolve();
    await release.promise;
  });
  await Promise.race([isHeld.promise, holder]);
  const answer = during();
  await waits(waiting);
  release.resolve();
  await holder;
  return answer;
}

async function waits(waiting: number): Promise<void> {
  await expect
    .poll(() =>
      db
        .selectFrom('pg_stat_activity' as never) // a view of the server's own
        .where('wait_event_type' as never, '=', 'Lock' as never)
        .select(({ fn }) => fn.countAll().as('waiting'))
        .executeTakeFirst(),
    )
    .toEqual({ waiting });
}

test('a role that is taken away while a command waits for the space no longer counts', async () => {
  const spaceId = await content.space();
  await grant(spaceId, guest.userId, 'admin');
  const { status } = await whileChanged(
    async (transaction) => {
      await transaction.selectFrom('space').where('id', '=', spaceId).select('id').forUpdate().execute();
      await transaction.deleteFrom('grant').where('targetId', '=', spaceId).execute();
    },
    () => guest.patch(`/v1/spaces/${spaceId}`, { title: 'mine' }),
  );
  expect(status).toBe(404);
});

test('a default level of the parent that changes while a command waits for it counts', async () => {
  const parentId = await content.collection({ role: 'create' });
  const { status } = await whileChanged(
    async (transaction) => {
      await transaction.selectFrom('collection').where('id', '=', parentId).select('id').forUpdate().execute();
      await transaction.updateTable('collection').set({ defaultLevel: 'read' }).where('id', '=', parentId).execute();
    },
    () => reader.post(`/v1/orgs/${organizationId}/spaces`, { parent: parentId }),
  );
  expect(status).toBe(403);
});

test('a membership that is disabled while a command waits for the organization no longer counts', async () => {
  const membership = (transaction: Database, isDisabled: boolean) =>
    transaction.updateTable('membership').set({ isDisabled }).where('userId', '=', creator.userId).execute();
  const { status } = await whileChanged(
    async (transaction) => {
      await transaction.selectFrom('organization').where('id', '=', organizationId).select('id').forUpdate().execute();
      await membership(transaction, true);
    },
    () => creator.post(`/v1/orgs/${organizationId}/spaces`),
  );
  await membership(db, false);
  expect(status).toBe(404);
});

/** Commands that write what is often written, as the guest sends them: all of them are allowed with the role `edit`. */
async function writesIn(spaceId: string): Promise<Record<string, (text: string) => Promise<RestAnswer>>> {
  await grant(spaceId, guest.userId, 'edit');
  const space = `/v1/spaces/${spaceId}`;
  const body = (text: string) => ({ body: { markdown: text } });
  const comment = `${space}/comments/${(await guest.post(`${space}/comments`, body('Mine'))).body.id}`;
  const reply = `${comment}/replies/${(await guest.post(`${comment}/replies`, body('Mine'))).body.id}`;
  const changeRequest = `${space}/change-requests/${(await guest.post(`${space}/change-requests`)).body.id}`;
  return {
    postComment: (text) => guest.post(`${space}/comments`, body(text)),
    postCommentReply: (text) => guest.post(`${comment}/replies`, body(text)),
    updateComment: (text) => guest.put(comment, body(text)),
    updateCommentReply: (text) => guest.put(reply, body(text)),
    createChangeRequest: (text) => guest.post(`${space}/change-requests`, { subject: text }),
    updateChangeRequest: (text) => guest.patch(changeRequest, { subject: text }),
  };
}

/** Everything that these commands write in a space. */
async function writtenIn(spaceId: string): Promise<Record<string, unknown[]>> {
  const tables = ['comment', 'comment_reply', 'change_request', 'event'] as const;
  const rows = tables.map(async (table) => [
    table,
    await db.selectFrom(table).where('spaceId', '=', spaceId).selectAll().orderBy('id').execute(),
  ]);
  const space = await db
    .selectFrom('space')
    .where('id', '=', spaceId)
    .select('latestChangeRequestNumber')
    .executeTakeFirst();
  return { ...Object.fromEntries(await Promise.all(rows)), space: [space] };
}

test('a role that is taken away while a write waits for the access no longer counts', async () => {
  const spaceId = await content.space();
  const writes = await writesIn(spaceId);
  const before = await writtenIn(spaceId);
  for (const [name, write] of Object.entries(writes)) {
    await grant(spaceId, guest.userId, 'edit');
    const { status } = await whileChanged(
      (transaction) => transaction.deleteFrom('grant').where('targetId', '=', spaceId).execute(),
      () => write('Too late'),
    );
    expect([name, status, await writtenIn(spaceId)]).toEqual([name, 404, before]);
  }
});

test('a write that waits for the access is decided on the new one, and goes through once where it still may', async () => {
  const spaceId = await content.space();
  const writes = await writesIn(spaceId);
  for (const [name, write] of Object.entries(writes)) {
    await grant(spaceId, guest.userId, 'edit');
    const { event: before = [] } = await writtenIn(spaceId);
    const { status } = await whileChanged(
      (transaction) =>
        transaction.updateTable('grant').set({ role: 'review' }).where('targetId', '=', spaceId).execute(),
      () => write('Still mine'),
    );
    const { event: after = [] } = await writtenIn(spaceId);
    expect([name, status < 300, after.length]).toEqual([name, true, before.length + 1]);
  }
});

test('a role that is taken away between a change request and its revisions leaves nothing to see', async () => {
  const { body: space } = await admin.post(`/v1/orgs/${organizationId}/spaces`);
  await grant(space.id, guest.userId, 'review');
  const { body: changeRequest } = await guest.post(`/v1/spaces/${space.id}/change-requests`);
  const path = `/v1/spaces/${space.id}/change-requests/${changeRequest.id}`;
  const query = `{ changeRequest(id: "${changeRequest.id}") { conflicts { nodes { id } } } }`;
  const requests = {
    changes: () => guest.get(`${path}/changes`),
    merge: () => guest.post(`${path}/merge`),
    update: () => guest.post(`${path}/update`),
    resolve: () => guest.post(`${path}/conflicts/resolve`, { resolutions: [] }),
    conflicts: () => guest.graphqlRaw(query),
  };
  for (const [name, request] of Object.entries(requests)) {
    await grant(space.id, guest.userId, 'review');
    const { status, body } = await whileChanged(async (transaction) => {
      await sql`lock table revision in access exclusive mode`.execute(transaction);
      await transaction
        .deleteFrom('grant')
        .where('targetId', '=', space.id)
        .where('granteeId', '=', guest.userId)
        .execute();
    }, request);
    expect([name, body.errors?.[0].extensions.code ?? status]).toEqual([
      name,
      name === 'conflicts' ? 'NOT_FOUND' : 404,
    ]);
  }
});

test('requests to remove a member wait for each other without a deadlock', async () => {
  const path = `/v1/orgs/${organizationId}/members/${admin.userId}`;
  const answers = await whileChanged(
    (transaction) =>
      transaction
        .selectFrom('access_version')
        .where('organizationId', '=', organizationId)
        .select('version')
        .forShare()
        .execute(),
    () => Promise.all([admin.delete(path), admin.delete(path)]),
    2,
  );
  // Nobody else is an admin.
  expect(answers.map(({ status }) => status)).toEqual([409, 409]);
  // A deadlock would make one of them run again.
  const [first, second] = answers.map(statementsOf);
  expect(first).toBe(second);
});

test('a blocked organization is read, not written', async () => {
  const [spaceId, parent] = [await content.space(), await content.collection()];
  await db
    .updateTable('organization')
    .set({ blocked: { reason: 'unpaid' } })
    .where('id', '=', organizationId)
    .execute();
  const orgs = `/v1/orgs/${organizationId}`;
  expect((await admin.get(`/v1/spaces/${spaceId}`)).status).toBe(200);
  expect((await admin.get(`/v1/collections/${parent}/spaces`)).status).toBe(200);
  const writes = [
    admin.patch(`/v1/spaces/${spaceId}`, { title: 'x' }),
    admin.delete(`/v1/spaces/${spaceId}`),
    admin.post(`/v1/spaces/${spaceId}/duplicate`),
    admin.post(`${orgs}/spaces`, { parent }),
    admin.post(`${orgs}/collections`, { parent }),
    admin.post(`${orgs}/spaces`),
  ];
  for (const { status, body } of await Promise.all(writes)) {
    expect([status, body.error?.message]).toEqual([403, expect.stringMatching(/blocked: unpaid/)]);
  }
});
