import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { ROWS_OF_A_SPACE, removeDeletedSpaces } from '../../../src/domain/places/spaces/remove-deleted-spaces.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { world } from '../../world.ts';

const { app, admin, organizationId, reader, advance, grant } = await world();
const { db } = app.services;

const DAY = 24 * 60 * 60 * 1000;

const run = () =>
  removeDeletedSpaces.run(
    jobContext(app.services, 'job-test'),
    {},
    { signal: AbortSignal.timeout(20_000), retries: 0 },
  );

const newSpace = async () => (await admin.mutate('createSpace', { organizationId }, 'space { id }')).space.id as string;

async function rowsOf(spaceId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [table, column] of Object.entries({ ...ROWS_OF_A_SPACE, space: 'id' })) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} = ${spaceId}`.execute(db);
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}

const NOTHING = Object.fromEntries([...Object.keys(ROWS_OF_A_SPACE), 'space'].map((table) => [table, 0]));

test('removes a space and everything that is its own, seven days after it was deleted', async () => {
  const [spaceId, kept, restorable] = [await newSpace(), await newSpace(), await newSpace()];
  await admin.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  await grant(spaceId, reader.userId, 'read');
  const content = db.selectFrom('page_node').select((node) => node.fn.countAll<number>().as('count'));
  const nodes = await content.executeTakeFirst();
  await admin.delete(`/v1/spaces/${spaceId}`);
  await run();
  expect(await rowsOf(spaceId)).toMatchObject({
    space: 1,
    grant: 2,
    placement: 1,
    change_request: 1,
    revision: 1,
    head_page: 1,
  });

  advance(6 * DAY);
  await admin.delete(`/v1/spaces/${restorable}`);
  advance(DAY + 1_000);
  await run();
  expect(await rowsOf(spaceId)).toEqual(NOTHING);
  expect(await rowsOf(kept)).toMatchObject({ space: 1, placement: 1, head_page: 1 });
  expect((await admin.post(`/v1/spaces/${restorable}/restore`)).status).toBeLessThan(300);
  expect(await content.executeTakeFirst()).toEqual(nodes);
  const removed = await db
    .selectFrom('event')
    .where('kind', '=', 'space_removed')
    .select(['spaceId', 'actorId'])
    .execute();
  expect(removed).toEqual([{ spaceId, actorId: null }]);
});

test('the next space of a site becomes the default, and the customization goes too', async () => {
  const spaces = [await newSpace(), await newSpace(), await newSpace()];
  const { body: site } = await admin.post(`/v1/orgs/${organizationId}/sites`, { title: 'Docs', spaces });
  const path = `/v1/orgs/${organizationId}/sites/${site.id}`;
  await admin.post(`${path}/publish`);
  const shown = async () => {
    const { items } = (await admin.get(`${path}/site-spaces`)).body;
    return items.map((item: { space: { id: string }; default: boolean; urls: { published: string } }) => [
      item.space.id,
      item.default,
      new URL(item.urls.published).pathname.split('/').slice(-2)[0],
    ]);
  };
  const [first] = (await admin.get(`${path}/site-spaces`)).body.items;
  const customized = await admin.patch(`${path}/site-spaces/${first.id}/customization`, { styling: { theme: 'bold' } });
  expect(customized.status).toBe(200);
  const [, , last] = await shown();
  // The next one is deleted too, but not for seven days.
  await admin.delete(`/v1/spaces/${spaces[0]}`);
  advance(8 * DAY);
  await admin.delete(`/v1/spaces/${spaces[1]}`);
  await run();
  expect(await shown()).toEqual([[last?.[0], true, site.basename]]);
  await admin.post(`/v1/spaces/${spaces[1]}/restore`);
  expect((await shown()).map(([id, isDefault]: unknown[]) => [id, isDefault])).toEqual([
    [spaces[1], false],
    [spaces[2], true],
  ]);
  const targets = await db.selectFrom('site_customization').where('targetId', '=', first.id).selectAll().execute();
  expect(targets).toEqual([]);
});

test('a default section that is left without spaces gives way to the next one, and the site counts as changed', async () => {
  const [first, second] = [await newSpace(), await newSpace()];
  const { body: site } = await admin.post(`/v1/orgs/${organizationId}/sites`, { title: 'Guides', spaces: [first] });
  const path = `/v1/orgs/${organizationId}/sites/${site.id}`;
  expect((await admin.post(`${path}/sections`, { spaceId: second, title: 'More' })).status).toBe(201);
  const { body: published } = await admin.post(`${path}/publish`);
  const atRoot = async () => {
    const { body } = await admin.get(`/v1/urls/content?url=${encodeURIComponent(published.urls.published)}`);
    return body.space?.id;
  };
  const firstListed = async () => (await admin.get(`${path}/site-spaces?default=true`)).body.items[0]?.space.id;
  expect([await atRoot(), await firstListed()]).toEqual([first, first]);
  await admin.delete(`/v1/spaces/${first}`);
  expect([await atRoot(), await firstListed()]).toEqual([second, second]);
  advance(8 * DAY);
  const updatedAt = async () =>
    Date.parse((await admin.graphql(`{ site(id: "${site.id}") { updatedAt } }`)).site.updatedAt);
  const before = await updatedAt();
  await run();
  expect([await atRoot(), await firstListed()]).toEqual([second, second]);
  expect(await updatedAt()).toBeGreaterThan(before);
});

test('continues after an interrupted run, and can run concurrently', async () => {
  const spaces = [await newSpace(), await newSpace(), await newSpace()];
  for (const spaceId of spaces) await admin.delete(`/v1/spaces/${spaceId}`);
  advance(8 * DAY);
  await db
    .deleteFrom('head_page')
    .where('spaceId', '=', spaces[0] ?? '')
    .execute();
  await Promise.all([run(), run()]);
  for (const spaceId of spaces) expect(await rowsOf(spaceId)).toEqual(NOTHING);
  const { rows } = await sql<{ spaceId: string }>`
    select space_id from event where kind = 'space_removed' and space_id = any(${spaces}::text[])`.execute(db);
  expect(rows.map(({ spaceId }) => spaceId).sort()).toEqual(spaces.toSorted());
});

test('removes rows that another transaction changes meanwhile', async () => {
  const spaceId = await newSpace();
  await admin.delete(`/v1/spaces/${spaceId}`);
  advance(8 * DAY);
  let removal: Promise<void> | undefined;
  await db.transaction().execute(async (changing) => {
    await changing.updateTable('head_page').set({ position: 7 }).where('spaceId', '=', spaceId).execute();
    removal = run();
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
      expect(rows).toHaveLength(1);
    });
  });
  await removal;
  expect(await rowsOf(spaceId)).toEqual(NOTHING);
});

test('every table with a space id is cleared', async () => {
  /** Tables whose rows outlive the space. */
  const outliving = ['event'];
  const { rows } = await sql<{ table: string }>`
    select table_name as "table" from information_schema.columns
    where table_schema = 'public' and column_name = 'space_id' order by 1`.execute(db);
  const tables = rows.map(({ table }) => table).filter((table) => !outliving.includes(table));
  expect(tables.filter((table) => !(table in ROWS_OF_A_SPACE))).toEqual([]);
});
