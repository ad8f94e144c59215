import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded.ts';
import { type ServerProcess, startService } from '../bench/processes.ts';

/*
 * What a hostile client may send, ten at a time, and what it costs everybody else: the longest delay of the event loop,
 * the CPU time of one request, and the memory afterwards.
 *
 *   node test/faults/abuse.ts
 */

const TOKEN = 'stemma_the_token_of_the_fault_tests';
const MEGABYTE = 1024 * 1024;

const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

const members = (count: number) => Array.from({ length: count }, (_, index) => `"unknown${index}":1`).join();

const CREATE = 'mutation ($input: CreateSpaceInput!) { createSpace(input: $input) { space { id } } }';

const query = (text: string) => ({ body: JSON.stringify({ query: text }) });

interface Sent {
  path?: string;
  method?: string;
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  headers?: Record<string, string>;
}

/** `spaceId` names a space that the caller may edit. */
const attacks = (spaceId: string): Record<string, () => Sent> => ({
  'depth 200': () => query(`{ collection(id: "x") ${'{ parent '.repeat(200)} { id } ${'} '.repeat(200)} }`),
  'depth 10,000': () => query(`${'{ a '.repeat(10_000)}${'}'.repeat(10_000)}`),
  '1,000 aliases': () => query(`{ ${times(1_000, (index) => `a${index}: __typename`)} }`),
  '1,000 directives': () => query(`{ viewer { id ${times(1_000, () => '@include(if: true)')} } }`),
  '5,000 duplicate fields': () => query(`{ viewer { ${times(5_000, () => 'id')} } }`),
  'fragment cycle': () => query('{ viewer { ...A } } fragment A on User { ...B } fragment B on User { ...A }'),
  'fragments that multiply': () =>
    query(
      `{ viewer { ...F0 } } ${times(200, (index) => `fragment F${index} on User { ...F${index + 1} ...F${index + 1} }`)} fragment F200 on User { id }`,
    ),
  'costly query': () =>
    query('{ viewer { organizations(first: 100) { nodes { spaces(first: 100) { nodes { id } } } } } }'),
  '8 MB of unknown members in variables': () => ({
    body: `{"query":${JSON.stringify(CREATE)},"variables":{"input":{${members(500_000)}}}}`,
  }),
  '9 MB of members to REST': () => ({ path: '/v1/orgs', body: `{${members(500_000)}}` }),
  '24 kB of fragments not spread': () =>
    query(
      `{ __typename } ${times(100, (index) => `fragment F${index} on User { ${times(9, () => 'organizations { nodes { id } }')} }`)}`,
    ),
  'array batch of 1,000': () => ({ body: JSON.stringify(Array(1_000).fill({ query: '{ viewer { id } }' })) }),
  'JSON nested 100,000 deep': () => ({ body: '['.repeat(100_000) + ']'.repeat(100_000) }),
  '9 MB of JSON': () => ({
    body: JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(9 * MEGABYTE) } }),
  }),
  '100 MB, declared': () => ({ body: new Uint8Array(100 * MEGABYTE) }),
  '100 MB, chunked': () => ({ body: chunks(100) }),
  'gzip bomb of 1 GB': () => ({ body: new Uint8Array(BOMB), headers: { 'content-encoding': 'gzip' } }),
  '200,000 characters of Markdown': () => edit(spaceId, 'word *other* `code` '.repeat(10_000)),
  'brackets in Markdown': () => edit(spaceId, '['.repeat(100_000)),
  'quotes 5,000 deep': () => edit(spaceId, `${'>'.repeat(5_000)} x`),
  'a document nested 10,000 deep': () => {
    const node = `{"object":"block","type":"blockquote","data":{},"nodes":[`;
    const document = `{"object":"document","data":{},"nodes":[${node.repeat(10_000)}${']}'.repeat(10_000)}]}`;
    return {
      ...contentOf(spaceId),
      body: `{"changes":[{"operation":"insert_page","title":"x","document":{"document":${document}}}]}`,
    };
  },
});

const BOMB = gzipSync(Buffer.alloc(1024 * MEGABYTE));

const contentOf = (spaceId: string) => ({ path: `/v1/spaces/${spaceId}/content`, method: 'POST' });

const edit = (spaceId: string, markdown: string): Sent => ({
  ...contentOf(spaceId),
  body: JSON.stringify({ changes: [{ operation: 'insert_page', title: 'Hostile', document: { markdown } }] }),
});

const chunks = (megabytes: number): ReadableStream =>
  Readable.toWeb(
    Readable.from(
      (function* () {
        for (let sent = 0; sent < megabytes; sent++) yield Buffer.alloc(MEGABYTE, ' ');
      })(),
    ),
  ) as ReadableStream; // the same standard, typed twice

async function send(url: string, { path = '/graphql', method = 'POST', body, headers }: Sent): Promise<string> {
  const init = {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  };
  try {
    const response = await fetch(`${url}${path}`, init as RequestInit);
    const answer = (await response.json()) as { errors?: { extensions?: { code?: string } }[] };
    return [response.status, answer.errors?.[0]?.extensions?.code].filter(Boolean).join(' ');
  } catch {
    return 'cut';
  }
}

const TOGETHER = 10;

async function attack(service: ServerProcess, name: string, make: () => Sent): Promise<void> {
  const before = await service.usage();
  const sent = Array.from({ length: TOGETHER }, make);
  const answers = new Set(await Promise.all(sent.map((request) => send(service.url, request))));
  show(name, [...answers].join(', '), await service.usage(), before.cpuMs);
}

const show = (name: string, answers: string, usage: Awaited<ReturnType<ServerProcess['usage']>>, cpuBefore: number) =>
  console.log(
    `| ${name.padEnd(32)} | ${answers.padEnd(28)} | ${((usage.cpuMs - cpuBefore) / TOGETHER).toFixed(1).padStart(8)} | ${usage.longestDelayMs.toFixed(0).padStart(8)} | ${Math.round(usage.rssBytes / MEGABYTE)} |`,
  );

/** Clients that send a byte of their headers a second; others are served meanwhile. */
async function slowClients(service: ServerProcess): Promise<void> {
  const { port, hostname } = new URL(service.url);
  const before = await service.usage();
  const sockets = Array.from({ length: 500 }, () => connect({ port: Number(port), host: hostname }));
  for (const socket of sockets) socket.on('error', () => {}).write('POST /graphql HTTP/1.1\r\nhost: x\r\n');
  const answers = await Promise.all(Array.from({ length: TOGETHER }, () => send(service.url, query('{ __typename }'))));
  show('500 slow clients; others get', [...new Set(answers)].join(), await service.usage(), before.cpuMs);
  for (const socket of sockets) socket.destroy();
}

const directory = await mkdtemp(join(tmpdir(), 'stemma-abuse-'));
const dataDir = await openDataDir(join(directory, 'database'));
const database = await startEmbeddedPostgres({ dataDir, log: () => {} });
const service = await startService({
  databaseUrl: database.url,
  dataDir: join(directory, 'service'),
  environment: { BOOTSTRAP_TOKEN: TOKEN, LOG_LEVEL: 'fatal' },
});
try {
  const json = async (path: string, body?: unknown) => {
    const init = { method: body ? 'POST' : 'GET', ...(body ? { body: JSON.stringify(body) } : {}) };
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    return (await fetch(`${service.url}${path}`, { ...init, headers })).json() as Promise<{
      id: string;
      items: { id: string }[];
    }>;
  };
  const organizationId = (await json('/v1/orgs')).items[0]?.id;
  const { id: spaceId } = await json(`/v1/orgs/${organizationId}/spaces`, { title: 'Attacked' });
  for (let warm = 0; warm < 200; warm++) await send(service.url, query('{ viewer { id } }'));
  console.log(
    '| ten at a time | answer | CPU ms of one | longest delay ms | memory MB |\n| --- | --- | ---: | ---: | ---: |',
  );
  await attack(service, 'nothing', () => query('{ __typename }'));
  for (const [name, make] of Object.entries(attacks(spaceId))) await attack(service, name, make);
  await slowClients(service);
} finally {
  await service.stop();
  await database.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}
