import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { findStockPostgres } from '../installed-postgres.ts';
import { startStockPostgres } from '../stock-postgres.ts';
import { makePostgresUsage } from './postgres-usage.ts';
import { startService } from './processes.ts';

/*
 * CPU of the primary for each request, with and without a replica: pages of a published site, PDFs, whole revisions and
 * searches. Needs an installed PostgreSQL; primary, replica and service share the machine.
 *
 *   node test/bench/replicas.ts
 */

const TOKEN = 'stemma_the_token_of_the_replica_benchmark';
const PAGES = 200;
const PDFS = 8;
const REVISIONS = 100;
const SEARCHES = 200;
const AT_ONCE = 4;

const words = Array.from({ length: 2_000 }, (_, index) => `word${index.toString(36)}`);
const wordsOf = (page: number) => Array.from({ length: 600 }, (_, index) => words[(page * 37 + index * 7) % 2_000]);

const directory = findStockPostgres();
if (directory === undefined) console.info('Skipped: no PostgreSQL is installed here (Debian: postgresql).');
else await measureAll(directory);

async function measureAll(programs: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stemma-bench-replicas-'));
  const server = await startStockPostgres(programs, { contrary: false, settings: { shared_buffers: '256MB' } });
  try {
    const database = await server.makeDatabase();
    const replica = await server.makeReplica();
    const results: Record<string, Record<string, number>> = {};
    const site = await withService(database.url, dataDir, {}, fill);
    for (const name of ['without', 'with']) {
      const environment = name === 'with' ? { DATABASE_REPLICA_URLS: replica.urlOf(database.url) } : undefined;
      await replica.catchUp();
      results[name] = await withService(database.url, dataDir, environment, (url) => measure(url, database.url, site));
      console.info(name, results[name]);
    }
    const table = Object.keys(results.with ?? {}).map((kind) => [
      kind,
      { without: results.without?.[kind], with: results.with?.[kind] },
    ]);
    console.table(Object.fromEntries(table));
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function withService<Result>(
  databaseUrl: string,
  dataDir: string,
  environment: Record<string, string> | undefined,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const service = await startService({
    databaseUrl,
    dataDir,
    environment: { BOOTSTRAP_TOKEN: TOKEN, ...environment },
  });
  try {
    return await use(service.url);
  } finally {
    await service.stop();
  }
}

interface Filled {
  spaceId: string;
  pageIds: string[];
  /** Path of the site. */
  base: string;
}

/** A published space. */
async function fill(url: string): Promise<Filled> {
  const { items } = await ask(url, '/v1/orgs');
  const organizationId = items[0].id;
  const space = await ask(url, `/v1/orgs/${organizationId}/spaces`, { title: 'Measured', empty: true });
  const pageIds: string[] = [];
  for (let from = 0; from < PAGES; from += 20) {
    const changes = Array.from({ length: 20 }, (_, index) => ({
      insertPage: {
        title: `Page ${from + index}`,
        slug: `page-${from + index}`,
        document: { markdown: `${wordsOf(from + index).join(' ')}.` },
      },
    }));
    const query = 'mutation($input: UpdateSpaceContentInput!) { updateSpaceContent(input: $input) { pageIds } }';
    const { data } = await ask(url, '/graphql', { query, variables: { input: { spaceId: space.id, changes } } });
    pageIds.push(...data.updateSpaceContent.pageIds);
  }
  const sites = `/v1/orgs/${organizationId}/sites`;
  const site = await ask(url, sites, { title: 'Measured', spaces: [space.id] });
  await ask(url, `${sites}/${site.id}/publish`, {});
  const { urls } = await ask(url, `${sites}/${site.id}`);
  return { spaceId: space.id, pageIds, base: new URL(urls.published).pathname.replace(/\/$/, '') };
}

/** Milliseconds of CPU of the primary for each request, by kind. */
async function measure(url: string, databaseUrl: string, { spaceId, pageIds, base }: Filled) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) });
  const usage = await makePostgresUsage(db as never); // any database
  if (!usage) throw new Error('This system does not tell what processes use.');
  const used = async () => (await usage()) ?? 0;
  const perRequest = async (count: number, send: (index: number) => Promise<unknown>): Promise<number> => {
    const before = await used();
    let next = 0;
    const worker = async () => {
      while (next < count) await send(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    // What the last requests have caused.
    await sleep(200);
    return Math.round((((await used()) - before) * 1_000) / count) / 1_000;
  };
  const read = async (path: string) => {
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      redirect: 'manual',
    });
    const bytes = await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${Buffer.from(bytes)}`);
    return Buffer.from(bytes);
  };
  const visit = async (path: string) => {
    const response = await fetch(`${url}${path}`);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  };
  const idleBefore = await used();
  await sleep(3_000);
  const idle = ((await used()) - idleBefore) / 3;
  // Plans of the first statements.
  await perRequest(40, (index) => visit(`${base}/page-${PAGES - 1 - index}`));
  await perRequest(40, (index) => read(`/v1/spaces/${spaceId}/search?query=${words[index]}`));
  const results = {
    'page, first time': await perRequest(PAGES - 50, (index) => visit(`${base}/page-${index + 1}`)),
    'page, again': await perRequest(PAGES - 50, (index) => visit(`${base}/page-${index + 1}`)),
    'PDF of a page': await perRequest(PDFS, async (index) => {
      const link = await read(`/v1/spaces/${spaceId}/pdf?page=${pageIds[index]}&only=true`);
      const { pathname, search } = new URL(JSON.parse(link.toString()).url);
      // On a busy machine, printing takes longer than a request waits.
      while ((await fetch(`${url}${pathname}${search}`)).status === 503) await sleep(500);
    }),
    'text of a page': await perRequest(PAGES, (index) =>
      read(`/v1/spaces/${spaceId}/content/page/${pageIds[index]}/text`),
    ),
    'whole revision': await perRequest(REVISIONS, () => read(`/v1/spaces/${spaceId}/content`)),
    search: await perRequest(SEARCHES, (index) => read(`/v1/spaces/${spaceId}/search?query=${words[index + 100]}`)),
    'idle, for each second': idle,
  };
  await db.destroy();
  return results;
}

// biome-ignore lint/suspicious/noExplicitAny: of the API.
async function ask(url: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  const answer = JSON.parse(text || '{}');
  if (answer.errors) throw new Error(text);
  return answer;
}
