import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { startService } from '../bench/processes.ts';
import { memoryApart } from './memory-of.ts';

/*
 * Real specifications, each processed, changed and processed again, and shown as pages: how long it takes, what it costs,
 * and how long the event loop is held meanwhile. Memory is that of the service with its threads, without PostgreSQL.
 *
 *   node test/faults/openapi-specifications.ts [--profile=DIRECTORY] FILE…
 */

const TOKEN = 'stemma_the_token_of_the_fault_tests';
const MEGABYTE = 1024 * 1024;

const profile = process.argv.find((argument) => argument.startsWith('--profile='))?.slice('--profile='.length);
const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

let served = '';
const asked: IncomingMessage[] = [];
const files = createServer((request, response) => {
  asked.push(request);
  const etag = `"${createHash('sha256').update(served).digest('base64url')}"`;
  const isSame = request.headers['if-none-match'] === etag;
  response.writeHead(isSame ? 304 : 200, { etag }).end(isSame ? undefined : served);
});
await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
const source = `http://127.0.0.1:${(files.address() as AddressInfo).port}/openapi.json`; // it listens on a port

const directory = await mkdtemp(join(tmpdir(), 'stemma-openapi-'));
const dataDir = await openDataDir(join(directory, 'database'));
const database = await startEmbeddedPostgres({ dataDir, log: () => {} });
const service = await startService({
  databaseUrl: database.url,
  dataDir: join(directory, 'service'),
  profile,
  environment: {
    BOOTSTRAP_TOKEN: TOKEN,
    LOG_LEVEL: 'error',
    WORKERS: '1',
    ALLOW_PRIVATE_NETWORK: '1',
    ...(profile !== undefined && { STALLS_DIR: profile }),
  },
});

// biome-ignore lint/suspicious/noExplicitAny: whatever came
async function send(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
  });
  return response.json();
}

const graph = async (query: string) => (await send('POST', '/graphql', { query })).data;

async function until<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    await sleep(100);
  }
}

/** Time, CPU time, most memory and the longest delay while something is done. */
async function watching<Result>(act: () => Promise<Result>) {
  const { cpuMs: before } = await service.usage();
  let [most, isOver] = [0, false];
  const watch = (async () => {
    for (; !isOver; await sleep(100)) most = Math.max(most, memoryApart('main.mjs').service);
  })();
  const began = performance.now();
  const result = await act().finally(() => {
    isOver = true;
  });
  const seconds = (performance.now() - began) / 1_000;
  await watch;
  const { longestDelayMs, cpuMs } = await service.usage();
  return {
    result,
    seconds: seconds.toFixed(1),
    cpuSeconds: ((cpuMs - before) / 1_000).toFixed(1),
    megabytes: Math.round(most / MEGABYTE),
    delayMs: Math.round(longestDelayMs),
  };
}

/** The median of five requests, in milliseconds. */
async function timeOf(path: string): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 5; count++) {
    const began = performance.now();
    await send('GET', path);
    times.push(performance.now() - began);
  }
  return Math.round(times.toSorted((a, b) => a - b)[2] ?? 0);
}

/** Removes the first path, as a change of a text in JSON; other texts get a comment. */
function changed(text: string): string {
  if (!text.trimStart().startsWith('{')) return `${text}\n# changed\n`;
  const document = JSON.parse(text);
  const [first] = Object.keys(document.paths ?? {});
  if (first !== undefined) delete document.paths[first];
  return JSON.stringify(document);
}

async function examine(file: string, slug: string, organizationId: string): Promise<Record<string, unknown>> {
  const one = `/v1/orgs/${organizationId}/openapi/${slug}`;
  const put = async (text: string) => {
    served = text;
    const linted = (version: { lintState?: string }) => version.lintState !== 'pending';
    const made = await watching(async () => {
      await send('PUT', one, { source: { url: source } });
      return until(
        () => send('GET', one),
        ({ processingState }) => processingState === 'complete',
      );
    });
    const lint = await watching(() => until(() => send('GET', `${one}/versions/latest`), linted));
    return { ...made, lint };
  };
  const text = await readFile(file, 'utf8');
  const first = await put(text);
  const second = await put(changed(text));
  asked.length = 0;
  const third = await put(served);
  const conditional = asked.filter(({ headers }) => headers['if-none-match'] !== undefined).length;
  const { result: spec, lint } = second;
  const { body } = { body: lint.result as Record<string, unknown> };
  const { space } = (
    await graph(
      `mutation { createSpace(input: { organizationId: "${organizationId}", title: "${slug}" }) { space { id } } }`,
    )
  ).createSpace;
  await send('POST', `/v1/spaces/${space.id}/content`, {
    changes: [
      {
        operation: 'insert_page',
        kind: 'computed',
        title: 'API',
        computed: {
          type: 'builtin:openapi',
          props: { grouping: 'by-operation' },
          dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
        },
      },
    ],
    compat: false,
  });
  const { pages } = await send('GET', `/v1/spaces/${space.id}/content/pages`);
  const deepest = (page: { id: string; pages?: never[] }): string =>
    page?.pages?.[0] ? deepest(page.pages[0]) : page?.id;
  const content = `/v1/spaces/${space.id}/content`;
  return {
    specification: basename(file),
    MB: (text.length / MEGABYTE).toFixed(1),
    operations: body.operationsCount,
    's (CPU)': `${first.seconds} (${first.cpuSeconds})`,
    'again s': second.seconds,
    'unchanged s': `${third.seconds}, ${asked.length} request, ${conditional} conditional`,
    'lint s (CPU)': `${first.lint.seconds} (${first.lint.cpuSeconds})`,
    'most MB': Math.max(first.megabytes, second.megabytes),
    'with lint': Math.max(first.lint.megabytes, lint.megabytes),
    'delay ms': `${first.delayMs} ${second.delayMs} ${third.delayMs}, lint ${first.lint.delayMs} ${lint.delayMs}`,
    changes: `${body.changesCount} (${body.breakingChangesCount})`,
    lint: `${body.lintErrorsCount}/${body.lintWarningsCount} ${body.lintFailure ?? ''}`,
    'tree ms': await timeOf(`${content}/pages`),
    'page ms': await timeOf(`${content}/page/${deepest(pages?.at(-1))}?dereferenced=true`),
    'search ms': await timeOf(`/v1/spaces/${space.id}/search?query=list+user`),
    error: spec.lastProcessErrorCode ? `${spec.lastProcessErrorCode} ${spec.lastProcessedErrors?.[0]?.message}` : '',
  };
}

try {
  const { viewer } = await graph('{ viewer { organizations { nodes { id } } } }');
  console.log('idle:', Math.round(memoryApart('main.mjs').service / MEGABYTE), 'MB');
  const rows: Record<string, unknown>[] = [];
  for (const [index, file] of given.entries()) {
    rows.push(await examine(file, `spec-${index}`, viewer.organizations.nodes[0].id));
    console.log(JSON.stringify(rows.at(-1)));
  }
  console.table(rows);
} finally {
  await service.stop();
  await database.stop();
  dataDir.close();
  files.close();
  await rm(directory, { recursive: true, force: true });
}
