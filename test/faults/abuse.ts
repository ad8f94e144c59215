import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { type ServerProcess, startService } from '../bench/processes.ts';
import { hostileRequests, query, type Sent } from './hostile-requests.ts';

/*
 * What a hostile client may send, ten at a time, and what it costs everybody else: the longest delay of the event loop,
 * the CPU time of one request, and the memory afterwards.
 *
 *   node test/faults/abuse.ts
 */

const TOKEN = 'stemma_the_token_of_the_fault_tests';
const MEGABYTE = 1024 * 1024;

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
  for (const [name, make] of Object.entries(hostileRequests(spaceId))) await attack(service, name, make);
  await slowClients(service);
} finally {
  await service.stop();
  await database.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}
