import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../src/database.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded.ts';
import { fillPeople, TOKENS } from './fill/people.ts';
import { startService } from './processes.ts';

/*
 * Processes OpenAPI specifications twice on a new service, with a change between, and fetches them once more without one.
 * Prints times, the longest delay of the event loop, memory, and how long pages of the specification take.
 *
 *   node test/bench/openapi.ts [--profile DIRECTORY] FILE...
 */

const args = process.argv.slice(2);
const profile = args[0] === '--profile' ? args.splice(0, 2)[1] : undefined;
if (args.length === 0) {
  console.error('Usage: node test/bench/openapi.ts [--profile DIRECTORY] FILE...');
  process.exit(1);
}

const directory = await mkdtemp(join(tmpdir(), 'stemma-openapi-'));
const dataDir = await openDataDir(directory);
const database = await startEmbeddedPostgres({ dataDir, log: () => {} });
const served = { text: '', version: 0, requests: 0 };
const source = createServer((request, response) => {
  served.requests += 1;
  const etag = `"${served.version}"`;
  const isSame = request.headers['if-none-match'] === etag;
  response.writeHead(isSame ? 304 : 200, { etag }).end(isSame ? undefined : served.text);
});
await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
const sourceUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}/`; // it listens on TCP
const service = await startService({
  databaseUrl: database.url,
  dataDir: join(directory, 'service'),
  profile,
  countsStatements: true,
  environment: { WORKERS: '1', ALLOW_PRIVATE_NETWORK: '1' },
});
const { db, close } = await connect(database.url, { poolSize: 1 });
try {
  const [staff] = await fillPeople(db, 1);
  if (!staff) throw new Error('There is no organization.');
  for (const file of args) await measureFile(file, staff.organizationId);
} finally {
  await close();
  await service.stop();
  await database.stop();
  dataDir.close();
  source.closeAllConnections();
  source.close();
  await rm(directory, { recursive: true, force: true });
}

async function measureFile(file: string, organizationId: string): Promise<void> {
  const slug = basename(file)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  const text = await readFile(file, 'utf8');
  console.log(`\n${basename(file)}, ${(Buffer.byteLength(text) / 1e6).toFixed(1)} MB`);
  for (const [state, content] of [
    ['first version', text],
    ['with a change', changed(text)],
    ['without a change', served.text],
  ] as const) {
    if (state !== 'without a change') Object.assign(served, { text: content, version: served.version + 1 });
    await processOnce(`/v1/orgs/${organizationId}/openapi/${slug}`, state);
  }
  await measurePages(organizationId, slug);
}

/** The specification with a removed operation. */
function changed(text: string): string {
  if (!text.trimStart().startsWith('{')) return text.replace(/^ {2}\/\S+:$/m, '$&-changed');
  const specification = JSON.parse(text);
  const [path] = Object.keys(specification.paths ?? {});
  if (path !== undefined) delete specification.paths[path];
  return JSON.stringify(specification);
}

/** Sets the source and waits, while other requests are answered. */
async function processOnce(path: string, state: string): Promise<void> {
  const idle = await service.usage();
  await sleep(1_000);
  const quiet = await service.usage();
  const before = served.requests;
  service.measure();
  const begun = performance.now();
  await call('PUT', path, { source: { url: sourceUrl } });
  const latencies: number[] = [];
  let spec: Record<string, unknown>;
  do {
    await sleep(20);
    const asked = performance.now();
    spec = (await call('GET', path)).body;
    latencies.push(performance.now() - asked);
  } while (spec.processingState !== 'complete');
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const { longestDelayMs, rssBytes, peakBytes, delayMs, cpuMs } = await service.usage();
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  const latest = (await call('GET', `${path}/versions`)).body.items as unknown[];
  console.log(
    [
      `${state}: ${seconds} s, CPU ${((cpuMs - quiet.cpuMs) / 1_000).toFixed(1)} s, ${latest.length} versions`,
      `${served.requests - before} requests to the source`,
      `event loop: longest ${longestDelayMs.toFixed(0)} ms (idle ${quiet.longestDelayMs.toFixed(0)}), p99 ${delayMs.p99.toFixed(0)} ms`,
      `slowest answer ${Math.max(...latencies).toFixed(0)} ms of ${latencies.length}`,
      `memory: before ${megabytes(idle.rssBytes)}, after ${megabytes(rssBytes)}, peak ${megabytes(peakBytes)}`,
      String(spec.lastProcessErrorCode ?? 'no error'),
    ].join('; '),
  );
  await linted(path);
}

async function linted(path: string): Promise<void> {
  for (;;) {
    const { body } = await call('GET', `${path}/versions?limit=1`);
    const [version] = body.items as { lintState: string; lintErrorsCount?: number; lintWarningsCount?: number }[];
    if (version?.lintState !== 'pending') {
      console.log(
        `  lint ${version?.lintState}: ${version?.lintErrorsCount} errors, ${version?.lintWarningsCount} warnings`,
      );
      return;
    }
    await sleep(200);
  }
}

async function measurePages(organizationId: string, slug: string): Promise<void> {
  const space = (await call('POST', `/v1/orgs/${organizationId}/spaces`, { title: slug, empty: true })).body.id;
  const computed = {
    type: 'builtin:openapi',
    props: { models: true, grouping: 'by-operation' },
    dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
  };
  const changes = [{ operation: 'insert_page', type: 'computed', title: 'API', computed }];
  await call('POST', `/v1/spaces/${space}/content`, { changes });
  const tree = `/v1/spaces/${space}/content/pages`;
  const operations: string[] = [];
  const collect = (pages: { id: string; pages?: never[]; computed?: { props: { doc: string } } }[]): void => {
    for (const page of pages) {
      if (page.computed?.props.doc === 'operation') operations.push(page.id);
      collect(page.pages ?? []);
    }
  };
  const first = await call('GET', tree);
  collect(first.body.pages);
  console.log(`  tree of ${operations.length} operation pages: ${await times(tree, first.ms)}`);
  for (const each of [0, 0.5, 0.9]) {
    const id = operations[Math.floor(operations.length * each)];
    const path = `/v1/spaces/${space}/content/page/${id}?format=document&dereferenced=true`;
    if (id !== undefined) console.log(`  operation page: ${await times(path)}`);
  }
}

/** The first and the median time of some requests for the same, and the statements of the last one. */
async function times(path: string, before?: number): Promise<string> {
  const all: number[] = before === undefined ? [] : [before];
  let last = '';
  for (let count = 0; count < 5; count++) {
    const { ms, timing } = await call('GET', path);
    all.push(ms);
    last = timing;
  }
  const [first = 0] = all;
  const median = all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  return `first ${first.toFixed(0)} ms, median ${median.toFixed(0)} ms; ${last}`;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes.
async function call(method: string, path: string, body?: unknown): Promise<{ body: any; ms: number; timing: string }> {
  const begun = performance.now();
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKENS.admin}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const ms = performance.now() - begun;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return { body: text === '' ? undefined : JSON.parse(text), ms, timing: response.headers.get('server-timing') ?? '' };
}
