import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '../../src/platform/database/session.ts';
import { closeAll } from '../closings.ts';
import { findStockPostgres } from '../installed-postgres.ts';
import { type StockServer, startStockPostgres } from '../stock-postgres.ts';
import { type World, world } from '../world.ts';

const directory = findStockPostgres();

if (directory === undefined) {
  test.skip('no PostgreSQL of this system is installed (Debian: postgresql): nothing was tried against one');
} else {
  onStockServer(directory);
}

function onStockServer(programs: string) {
  let server: StockServer;
  let it: World;
  let spaceId: string;
  let pageIds: string[];
  const logged: string[] = [];

  beforeAll(async () => {
    server = await startStockPostgres(programs);
    const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
    it = await world({ WORKERS: '1' }, { log, database: await server.makeDatabase() });
    const { space } = await it.admin.mutate(
      'createSpace',
      { organizationId: it.organizationId, title: 'Grundlagen', empty: true },
      'space { id }',
    );
    spaceId = space.id;
    ({ pageIds } = await it.admin.mutate(
      'updateSpaceContent',
      {
        spaceId,
        changes: [
          { insertPage: { ref: 'a', title: 'Target', document: { markdown: 'A\\b "quoted" \'text\' — Ünïcödé.' } } },
          { insertPage: { title: 'Links', document: { markdown: '[there](page:a) and [web](https://example.com)' } } },
        ],
      },
      'pageIds',
    ));
  });

  afterAll(async () => {
    await closeAll();
    await server?.stop();
  });

  test('every connection of the service has the settings that it needs', async () => {
    const { rows } = await sql<Record<string, string>>`
      select current_setting('jit') as jit, current_setting('datestyle') as datestyle, current_setting('timezone') as timezone,
        current_setting('default_transaction_isolation') as isolation, current_setting('search_path') as path,
        current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('plan_cache_mode') as plans, current_setting('bytea_output') as bytes,
        current_setting('standard_conforming_strings') as strings, current_setting('client_encoding') as encoding,
        current_setting('intervalstyle') as intervals, current_setting('extra_float_digits') as digits,
        current_setting('transform_null_equals') as nulls,
        current_setting('idle_session_timeout') as idle, current_setting('idle_in_transaction_session_timeout') as "idleInside"`.execute(
      it.app.services.db,
    );
    expect(rows).toEqual([
      {
        jit: 'off',
        datestyle: 'ISO, YMD',
        timezone: 'UTC',
        isolation: 'read committed',
        path: 'public',
        statement: '10s',
        lock: '0',
        plans: 'force_generic_plan',
        bytes: 'hex',
        strings: 'on',
        encoding: 'UTF8',
        intervals: 'postgres',
        digits: '1',
        nulls: 'off',
        idle: '0',
        idleInside: '5min',
      },
    ]);
  });

  test('extensions are found in the schema where they are', async () => {
    const database = await server.makeDatabase();
    const first = await openSession(database.url);
    await first.query('create schema "Extra"');
    await first.query('create extension pg_trgm schema "Extra"');
    await first.end();
    const second = await openSession(database.url);
    const { rows } = await second.query("select current_setting('search_path') as path, similarity('a', 'a') as same");
    await second.end();
    await database.drop();
    expect(rows).toEqual([{ path: 'public, "Extra"', same: 1 }]);
  });

  test('times are ISO 8601 in UTC, and what is written is read back', async () => {
    const before = new Date();
    const { body } = await it.admin.get(`/v1/spaces/${spaceId}`);
    expect(body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(before.getTime() - new Date(body.createdAt).getTime())).toBeLessThan(60_000);
    const page = await it.reader.get(`/v1/spaces/${spaceId}/content/page/${pageIds[0]}?format=markdown`);
    expect(page.body.markdown).toContain('A\\b "quoted" \'text\' — Ünïcödé.');
  });

  test('links of a page are listed', async () => {
    const links = await it.admin.get(`/v1/spaces/${spaceId}/links?limit=50`);
    expect(links.status).toBe(200);
    expect(links.body.items.length).toBeGreaterThan(0);
    const query = `query($id: ID!, $page: ID!) { space(id: $id) { revision {
      page(pageId: $page) { backlinks(first: 5) { totalCount nodes { page { title } } } } } } }`;
    const { space } = await it.admin.graphql(query, { id: spaceId, page: pageIds[0] });
    expect(space.revision.page.backlinks).toEqual({ totalCount: 1, nodes: [{ page: { title: 'Links' } }] });
  });

  test('content is searched', async () => {
    const { body } = await it.reader.get(`/v1/spaces/${spaceId}/search?query=ünicöde`);
    expect(body.items.map(({ title }: { title: string }) => title)).toEqual(['Target']);
  });

  test('change requests of several people are edited at once and merged', async () => {
    const edit = async (index: number) => {
      const { changeRequest } = await it.editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
      const changes = [{ insertPage: { title: `Page ${index}` } }];
      await it.editor.mutate(
        'updateChangeRequestContent',
        { spaceId, changeRequestId: changeRequest.id, changes },
        'pageIds',
      );
      return changeRequest.id as string;
    };
    const made = await Promise.all([1, 2, 3, 4].map(edit));
    const merged = await Promise.all(
      made.map((id) => it.admin.post(`/v1/spaces/${spaceId}/change-requests/${id}/merge`, {})),
    );
    expect(merged.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await it.reader.get(`/v1/spaces/${spaceId}/content/pages`);
    expect(body.pages.map(({ title }: { title: string }) => title).toSorted()).toEqual(
      ['Target', 'Links', 'Page 1', 'Page 2', 'Page 3', 'Page 4'].toSorted(),
    );
  });

  test('comments are posted at once, listed in their order, and answered', async () => {
    const post = (text: string) =>
      it.commenter.post(`/v1/spaces/${spaceId}/comments`, { page: pageIds[0], body: { markdown: text } });
    const posted = await Promise.all(Array.from({ length: 6 }, (_, index) => post(`Nr. ${index}`)));
    expect(posted.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const { body } = await it.commenter.get(`/v1/spaces/${spaceId}/comments`);
    expect(body.items).toHaveLength(6);
    const reply = await it.editor.post(`/v1/spaces/${spaceId}/comments/${body.items[0].id}/replies`, {
      body: { markdown: 'Yes.' },
    });
    expect(reply.status).toBe(200);
  });

  test('events are told, jobs run, and nothing is logged but what the service says of itself', async () => {
    const { db, jobs } = it.app.services;
    await it.admin.mutate('createUpload', { organizationId: it.organizationId }, 'upload { id }');
    await db.updateTable('upload').set({ expiresAt: '2020-01-01T00:00:00.000Z' }).execute();
    await jobs.boss.send('remove-expired-uploads', {});
    jobs.wake('remove-expired-uploads');
    await expect.poll(() => db.selectFrom('upload').select('id').execute()).toEqual([]);
    expect((await it.eventsBy()).length).toBeGreaterThanOrEqual(5);
    expect(logged).toEqual([]);
  });
}
