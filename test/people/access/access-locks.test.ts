import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { administer } from '../../database.ts';
import { world } from '../../world.ts';

const { databaseUrl, organizationId, admin, editor, guest } = await world();
const [{ id: first }, { id: second }] = [await newSpace('First'), await newSpace('Second')];
const holders = [await holderOf(first), await holderOf(second)] as const;

afterAll(() => Promise.all(holders.map((holder) => holder.end())));

async function newSpace(title: string) {
  return (await admin.post(`/v1/orgs/${organizationId}/spaces`, { title })).body;
}

/** A session that holds the row of a space until it ends its transaction, so that writes there wait. */
async function holderOf(spaceId: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select from space where id = $1 for update', [spaceId]);
  return client;
}

const waiting = () =>
  administer(
    databaseUrl,
    `select wait_event from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );

const write = (spaceId: string) => {
  const changes = [{ operation: 'insert_page', title: 'Written' }];
  return editor.post(`/v1/spaces/${spaceId}/content`, { changes });
};

const comment = (spaceId: string) => editor.post(`/v1/spaces/${spaceId}/comments`, { body: { markdown: 'Written' } });

test.each([
  ['edits', write],
  ['comments', comment],
])('a change of access waits for the writes before it, and not for %s that come later', async (_what, later) => {
  for (const [index, spaceId] of [first, second].entries()) {
    await holders[index]?.query('rollback; begin');
    await holders[index]?.query('select from space where id = $1 for update', [spaceId]);
  }
  const [before] = [write(first)];
  await expect.poll(waiting).toHaveLength(1);
  const granting = admin.post(`/v1/spaces/${first}/permissions`, { users: [guest.userId], role: 'read' });
  await expect.poll(waiting).toHaveLength(2);
  const after = later(second);
  await expect.poll(waiting).toHaveLength(3);
  await holders[0].query('rollback');
  // The second space is held still.
  expect((await granting).status).toBe(204);
  expect((await before).status).toBe(200);
  await holders[1].query('rollback');
  expect((await after).status).toBe(200);
  await admin.delete(`/v1/spaces/${first}/permissions/users/${guest.userId}`);
});
