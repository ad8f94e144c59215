import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readCaughtUp } from '../../src/platform/reads/read-caught-up.ts';
import { Client } from '../client.ts';
import { closeAll } from '../closings.ts';
import { runProgram } from '../command.ts';
import { administer } from '../database.ts';
import { findStockPostgres } from '../installed-postgres.ts';
import { publishedSite, show, spaceWith } from '../publishing/reader-world.ts';
import { configOf } from '../settings.ts';
import { gitServer, sync } from '../sources/git/arrange.ts';
import { type StockReplica, type StockServer, startStockPostgres } from '../stock-postgres.ts';
import { type World, world } from '../world.ts';

// Servers are started, copied and killed.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const LAG_MS = 2_000;

const directory = findStockPostgres();

if (directory === undefined) {
  test.skip('no PostgreSQL of this system is installed (Debian: postgresql): no replica was made');
} else {
  onReplica(directory);
}

function onReplica(programs: string) {
  let server: StockServer;
  let replica: StockReplica;
  let it: World;
  let other: StockReplica;
  /** A second process of the service, which reads from two replicas. */
  let second: App & { url: string };
  let spaceId: string;
  let pageIds: string[];
  let site: Awaited<ReturnType<typeof publishedSite>>;
  let git: Awaited<ReturnType<typeof gitServer>>;

  beforeAll(async () => {
    // Nothing that other programs of the server write hides what is not replayed.
    server = await startStockPostgres(programs, { settings: { autovacuum: 'off', max_connections: 200 } });
    const database = await server.makeDatabase();
    replica = await server.makeReplica({ max_standby_streaming_delay: '100ms' });
    other = await server.makeReplica();
    const environment = {
      DATABASE_URL: database.url,
      DATABASE_REPLICA_URLS: replica.urlOf(database.url),
      REPLICA_LAG_MS: String(LAG_MS),
      RATE_LIMIT: '0',
      ALLOW_PRIVATE_NETWORK: '1',
    };
    it = await world(environment, { database });
    const urls = [replica, other].map((each) => each.urlOf(database.url)).join(',');
    second = await anotherProcess(it, { ...environment, DATABASE_REPLICA_URLS: urls });
    ({ spaceId, pageIds } = await spaceWith(it.admin, it.organizationId, 'Animals', [
      { title: 'Quokka', slug: 'quokka', document: { markdown: 'Quokkas smile.' } },
      { title: 'Numbat', slug: 'numbat', document: { markdown: 'Numbats eat termites.' } },
    ]));
    site = await publishedSite(it.admin, it.organizationId, { title: 'Zoo', spaces: [spaceId] });
    git = await gitServer();
    await replica.catchUp();
  });

  afterAll(async () => {
    await second?.close();
    await closeAll();
    await server?.stop();
  });

  /** Metrics of the replicas, by name and labels. */
  async function metrics(client = it.admin): Promise<Record<string, number>> {
    const { body } = await client.get('/metrics');
    const lines = String(body)
      .split('\n')
      .filter((line) => line.startsWith('stemma_replica_'));
    return Object.fromEntries(lines.map((line) => line.split(' ')).map(([name = '', value]) => [name, Number(value)]));
  }

  /** How reads were answered while a function ran. */
  async function readsOf(act: () => Promise<unknown>): Promise<Record<string, number>> {
    const { replicas } = it.app.services;
    const before = new Map(replicas.counts());
    await act();
    return Object.fromEntries([...replicas.counts()].map(([name, count]) => [name, count - (before.get(name) ?? 0)]));
  }

  const isInUse = () => it.app.services.replicas.views().every((view) => view.isInUse);
  const untilInUse = (expected = true) => vi.waitFor(() => expect(isInUse()).toBe(expected), { timeout: 20_000 });

  /** A page of the site, for anybody. */
  const shownText = async (path: string) => {
    const { status, text, headers } = await show(site.at(path));
    expect([status, headers.get('location')]).toEqual([200, null]);
    return text;
  };

  /** Replaces the text of the first page. */
  async function write(text: string, client = it.admin): Promise<void> {
    await client.mutate(
      'updateSpaceContent',
      { spaceId, changes: [{ updatePage: { pageId: pageIds[0], document: { markdown: text } } }] },
      'pageIds',
    );
  }

  const graphText = async (client = it.admin) => {
    const query =
      'query($id: ID!, $page: ID!) { space(id: $id) { page(pageId: $page) { ... on DocumentPage { pageText { text } } } } }';
    const { space } = await client.graphql(query, { id: spaceId, page: pageIds[0] });
    return String(space.page.pageText.text);
  };
  const restText = async (client = it.admin) => {
    const { body } = await client.get(`/v1/spaces/${spaceId}/content/page/${pageIds[0]}/text`);
    return String(body.text);
  };
  const found = async (word: string, client = it.admin) => {
    const { body } = await client.get(`/v1/spaces/${spaceId}/search?query=${word}`);
    return (body.items as { title: string }[]).map(({ title }) => title);
  };

  test('published pages, exports, PDFs, revisions, search and insights are read from the replica', async () => {
    await untilInUse();
    expect(await metrics()).toMatchObject({
      [`stemma_replica_in_use{replica="${hostOf(replica)}"}`]: 1,
      [`stemma_replica_lag_seconds{replica="${hostOf(replica)}"}`]: expect.closeTo(0, -1),
    });
    const repository = await git.repository('exported');
    const reads = {
      export: async () => {
        const run = await sync(it.admin, spaceId, 'export', { url: repository.url });
        expect(run, JSON.stringify(run)).toMatchObject({ status: 'completed' });
        expect(await repository.files()).toMatchObject({ 'numbat.md': expect.stringContaining('termites') });
      },
      site: async () => expect(await shownText('numbat')).toContain('termites'),
      pdf: async () => {
        const { body } = await it.admin.get(`/v1/spaces/${spaceId}/pdf`);
        const { pathname, search } = new URL(body.url);
        // On a busy machine, printing takes longer than a request waits.
        await vi.waitFor(async () => expect((await fetch(`${it.url}${pathname}${search}`)).status).toBe(200), 90_000);
      },
      revision: async () => {
        const { body } = await it.reader.get(`/v1/spaces/${spaceId}/content`);
        expect(body.pages.map(({ title }: { title: string }) => title)).toEqual(['Quokka', 'Numbat']);
      },
      search: async () => expect(await found('termites')).toEqual(['Numbat']),
      insights: async () => expect((await it.admin.get(`${site.path}/insights`)).status).toBe(200),
    };
    for (const [name, read] of Object.entries(reads)) {
      // On a busy machine, its state may be too old meanwhile.
      await untilInUse();
      const { replica: byReplica } = await readsOf(read);
      expect([name, byReplica]).toEqual([name, expect.toSatisfy((count) => count > 0)]);
    }
  });

  test('a caller sees what it has written at once, on both transports and on another process', async () => {
    const elsewhere = new Client(second.url, it.admin.token, it.admin.userId);
    for (let round = 0; round < 15; round++) {
      const word = `word${round}x`;
      await write(`Quokkas say ${word}.`);
      const texts = await Promise.all([graphText(), restText(), graphText(elsewhere), restText(elsewhere)]);
      for (const text of texts) expect(text).toContain(word);
      expect(await found(word)).toEqual(['Quokka']);
      expect(await found(word, elsewhere)).toEqual(['Quokka']);
      expect(await shownText('')).toContain(word);
    }
    const views = it.app.services.replicas.counts();
    expect(views.get('replica')).toBeGreaterThan(0);
  });

  test('answers come from the primary while the replay is paused, and from the replica after it', async () => {
    await untilInUse();
    await replica.administer('select pg_wal_replay_pause()');
    try {
      await write('Quokkas are paused.');
      const { missing, failed } = await readsOf(async () => {
        expect(await graphText()).toContain('paused');
        expect(await restText()).toContain('paused');
        expect(await found('paused')).toEqual(['Quokka']);
        expect(await shownText('')).toContain('paused');
      });
      expect(missing).toBeGreaterThan(0);
      expect(failed).toBeGreaterThan(0);
      // Its state is now older than the bound.
      await untilInUse(false);
      const { replica: byReplica, unavailable } = await readsOf(async () => {
        expect(await found('paused')).toEqual(['Quokka']);
        expect(await restText()).toContain('paused');
      });
      expect([byReplica, unavailable]).toEqual([0, expect.toSatisfy((count) => count > 0)]);
      expect(await metrics()).toMatchObject({ [`stemma_replica_in_use{replica="${hostOf(replica)}"}`]: 0 });
    } finally {
      await replica.administer('select pg_wal_replay_resume()');
    }
    await untilInUse();
    const { replica: byReplica } = await readsOf(async () => expect(await found('paused')).toEqual(['Quokka']));
    expect(byReplica).toBeGreaterThan(0);
  });

  test('answers never go back in time where one of two replicas stands still', async () => {
    const elsewhere = new Client(second.url, it.admin.token, it.admin.userId);
    const { replicas } = second.services;
    const areInUse = () => replicas.views().map(({ isInUse: isUsed }) => isUsed);
    await vi.waitFor(() => expect(areInUse()).toEqual([true, true]), { timeout: 20_000 });
    await other.administer('select pg_wal_replay_pause()');
    try {
      const before = replicas.counts().get('replica') ?? 0;
      for (let round = 0; round < 10; round++) {
        const word = `moment${round}x`;
        await write(`Quokkas know ${word}.`);
        // Each read may come from the other replica than the one before.
        for (let time = 0; time < 2; time++) {
          expect(await restText(elsewhere)).toContain(word);
          expect(await found(word, elsewhere)).toEqual(['Quokka']);
          expect(await graphText(elsewhere)).toContain(word);
        }
      }
      expect(replicas.counts().get('replica')).toBeGreaterThan(before);
      await vi.waitFor(() => expect(areInUse()).toEqual([true, false]), { timeout: 20_000 });
    } finally {
      await other.administer('select pg_wal_replay_resume()');
    }
    await vi.waitFor(() => expect(areInUse()).toEqual([true, true]), { timeout: 20_000 });
  });

  test('an idle primary is no lag', async () => {
    await untilInUse();
    await sleep(LAG_MS * 1.5);
    expect(isInUse()).toBe(true);
  });

  test('a revocation is in force at once, though the replica has not replayed it', async () => {
    await untilInUse();
    const { spaceId: secret } = await spaceWith(it.admin, it.organizationId, 'Secret', [
      { title: 'Plan', slug: 'plan', document: { markdown: 'The secret plan.' } },
    ]);
    await it.admin.patch(`/v1/spaces/${secret}`, { defaultLevel: null });
    await it.grant(secret, it.guest.userId, 'read');
    await replica.catchUp();
    const ask = async () => {
      const [content, search, graph] = await Promise.all([
        it.guest.get(`/v1/spaces/${secret}/content`),
        it.guest.get(`/v1/spaces/${secret}/search?query=plan`),
        it.guest.graphql('query($id: ID!) { space(id: $id) { id } }', { id: secret }),
      ]);
      return [content.status, search.status, graph.space?.id];
    };
    expect(await ask()).toEqual([200, 200, secret]);
    await replica.administer('select pg_wal_replay_pause()');
    try {
      const revoked = await it.admin.delete(`/v1/spaces/${secret}/permissions/users/${it.guest.userId}`);
      expect(revoked.status).toBeLessThan(300);
      expect(await ask()).toEqual([404, 404, undefined]);
    } finally {
      await replica.administer('select pg_wal_replay_resume()');
    }
  });

  test('no request fails when the replica is killed, and it is read again when it is back', async () => {
    await untilInUse();
    const statuses = new Map<number, number>();
    const ending = new AbortController();
    const read = async () => {
      while (!ending.signal.aborted) {
        const [page, search] = await Promise.all([
          it.reader.get(`/v1/spaces/${spaceId}/content`),
          it.reader.get(`/v1/spaces/${spaceId}/search?query=termites`),
        ]);
        for (const { status } of [page, search]) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const readers = Array.from({ length: 4 }, read);
    for (let round = 0; round < 3; round++) {
      await sleep(300);
      await replica.kill();
      await untilInUse(false);
      await untilInUse();
      await vi.waitFor(async () => {
        const { replica: byReplica } = await readsOf(() => sleep(100));
        expect(byReplica).toBeGreaterThan(0);
      });
    }
    ending.abort();
    await Promise.all(readers);
    expect([...statuses.keys()]).toEqual([200]);
  });

  test('a read that a conflict with the replay ends is repeated on the primary', async () => {
    await untilInUse();
    const { db } = it.app.services;
    await sql`create table if not exists public.conflict as select n from generate_series(1, 1000) n`.execute(db);
    await replica.catchUp();
    const ctx = { services: it.app.services, db, inTransaction: false, em: it.app.services.em } as never; // what it reads
    const reading = readCaughtUp(ctx, async (on) => {
      const { rows } = await sql<{ isReplica: boolean; count: number }>`
        select pg_is_in_recovery() as is_replica, count(*)::int as count from public.conflict
        where case when pg_is_in_recovery() then pg_sleep(.05) is not null else true end`.execute(on);
      return rows[0];
    });
    const { failed } = await readsOf(async () => {
      await sleep(500);
      await sql`delete from public.conflict`.execute(db);
      await administer(it.databaseUrl, 'vacuum public.conflict');
      expect(await reading).toEqual({ isReplica: false, count: 0 });
    });
    expect(failed).toBe(1);
    await sql`drop table public.conflict`.execute(db);
  });

  test('the doctor tells what is wrong with a replica', async () => {
    await untilInUse();
    const own = replica.urlOf(it.databaseUrl);
    const examine = async (urls: string, lagMs: number) => {
      const { output } = await runProgram('doctor', [], {
        PORT: '0',
        DATABASE_URL: it.databaseUrl,
        DATABASE_REPLICA_URLS: urls,
        REPLICA_LAG_MS: String(lagMs),
        DATA_DIR: it.app.services.config.dataDir,
        SECRET_KEY: 'a key of tests that is long enough',
      });
      expect(output).not.toContain(new URL(own).password);
      return output.split('\n').filter((line) => / {2}replica /.test(line));
    };
    const unreachable = 'postgresql://127.0.0.1:1/nothing';
    expect(await examine(`${own},${it.databaseUrl},${unreachable}`, 10_000)).toEqual([
      expect.stringMatching(/^ok .* had replayed all of the primary's log within \d+ ms$/),
      expect.stringMatching(/^problem .* is no replica: it accepts writes\. Remove it from DATABASE_REPLICA_URLS/),
      expect.stringMatching(
        /^problem .*127\.0\.0\.1:1\/nothing cannot be reached .*Start it, or correct DATABASE_REPLICA_URLS/,
      ),
    ]);
    await replica.administer('select pg_wal_replay_pause()');
    try {
      await write('Quokkas see the doctor.');
      expect(await examine(own, 200)).toEqual([
        expect.stringMatching(
          /^problem .* lacks \d+ bytes of the primary's log after \d+ ms, more than REPLICA_LAG_MS/,
        ),
      ]);
    } finally {
      await replica.administer('select pg_wal_replay_resume()');
    }
  });
}

const hostOf = (replica: StockReplica) => new URL(replica.urlOf('postgresql://127.0.0.1/x')).host;

/** A second process on the database of a world: another application of this process, with its own pools. */
async function anotherProcess(it: World, environment: Record<string, string>) {
  const app = await createApp({
    config: configOf({ ...environment, WORKERS: '0', DATA_DIR: it.app.services.config.dataDir }),
    databaseUrl: it.databaseUrl,
    secretKey: 'a key of tests that is long enough',
    log: pino({ level: 'error' }),
    isMigrated: true,
  });
  return { ...app, url: `http://127.0.0.1:${await app.listen()}` };
}
