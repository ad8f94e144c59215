import pg from 'pg';
import { expect, test } from 'vitest';
import { world } from '../world.ts';

/** For machines that have much else to do. */
const PATIENCE = { timeout: 10_000 };

test('requests in progress at shutdown are answered; new ones are refused', async () => {
  const { app, admin, databaseUrl, organizationId } = await world();
  await using holder = await holding(databaseUrl, organizationId);
  const running = admin.patch(`/v1/orgs/${organizationId}`, { title: 'Renamed while stopping' });
  await expect.poll(() => holder.waiting(), PATIENCE).toBe(1);

  let isClosed = false;
  const closed = app.close().then(() => {
    isClosed = true;
  });
  await expect(admin.get('/v1/user')).rejects.toThrow(/fetch failed/);
  expect(isClosed).toBe(false);

  await holder.release();
  const { status, headers, body } = await running;
  expect([status, body.title]).toEqual([200, 'Renamed while stopping']);
  expect(headers.get('connection')).toBe('close');
  await closed;
});

/** Locks an organization's row, so that a request for it runs until it is released. */
async function holding(databaseUrl: string, organizationId: string) {
  const session = new pg.Client(databaseUrl);
  await session.connect();
  await session.query('begin');
  await session.query('select from organization where id = $1 for update', [organizationId]);
  const blocked = `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  return {
    waiting: async () => {
      // Inside a transaction the server shows what it showed first.
      await session.query('select pg_stat_clear_snapshot()');
      return (await session.query(blocked)).rows[0].count;
    },
    release: () => session.query('commit'),
    [Symbol.asyncDispose]: () => session.end(),
  };
}
