import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../bench/processes.ts';
import { arranging } from './arrange-attack.ts';
import type { Answers } from './attackers.ts';
import { memoryApart } from './memory-of.ts';
import { type Deed, live } from './ordinary-users.ts';

/*
 * The service on its embedded database, attacked in all known ways at once from a process of its own, while twenty people
 * of other organizations read and write. Ends with 1 when a bound is missed: the event loop is never late by 250 ms, 99 of
 * 100 ordinary requests take less than 500 ms, the service with its helpers (PostgreSQL apart) stays below 1.3 GB, no request
 * gets a 500, and the service does not end.
 *
 *   MINUTES=20 node test/faults/under-attack.ts
 *   MINUTES=4 ATTACK=0 node test/faults/under-attack.ts     the same without the attackers
 */

const TOKEN = 'stemma_the_token_of_the_fault_tests';
const METRICS_TOKEN = 'the token of the metrics of the fault tests'.replaceAll(' ', '-');
const MINUTES = Number(process.env.MINUTES ?? 20);
const IS_ATTACKED = process.env.ATTACK !== '0';
/** Directory of a CPU profile and of what `notice-stalls.ts` writes. */
const PROFILE = process.env.PROFILE;
const MOST = { delayMs: 250, p99Ms: 500, megabytes: 1_300 };
const MEGABYTE = 1_000_000;
const ATTACKERS_NICE = 19;

const directory = await mkdtemp(join(tmpdir(), 'stemma-under-attack-'));
const robots = `User-agent: *\n${`Disallow: /${'*a'.repeat(500)}$\n`.repeat(400)}`;
const site = createServer((request, response) => {
  const text = request.url === '/robots.txt';
  response.writeHead(200, { 'content-type': text ? 'text/plain' : 'text/html' });
  response.end(text ? robots : `<main><h1>Page</h1><a href="/${'a'.repeat(2_000)}">more</a></main>`);
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`; // it listens on a port

const service = await startService({
  databaseUrl: '',
  dataDir: join(directory, 'service'),
  profile: PROFILE,
  environment: {
    BOOTSTRAP_TOKEN: TOKEN,
    METRICS_TOKEN,
    LOG_LEVEL: 'error',
    RATE_LIMIT: '',
    QUERY_COST_PER_MINUTE: '',
    WORKERS: '1',
    TRUST_PROXY: '1',
    ALLOW_PRIVATE_NETWORK: '1',
    ...(PROFILE !== undefined && { STALLS_DIR: PROFILE }),
  },
});

const deeds: Deed[] = [];
const memory = { service: 0, postgres: 0, parts: [] as number[] };
/** Of the event loop, in milliseconds. */
const longestByMinute: number[] = [];
const ending = new AbortController();

async function watchMemory(): Promise<void> {
  for (; !ending.signal.aborted; await sleep(200)) {
    const now = memoryApart('main.mjs');
    if (now.service > memory.service) memory.parts = now.parts;
    memory.service = Math.max(memory.service, now.service);
    memory.postgres = Math.max(memory.postgres, now.postgres);
  }
}

/** Gauges of the service that say how full it is, by their highest value. */
const fullest = new Map<string, number>();

async function watchMetrics(): Promise<void> {
  for (; !ending.signal.aborted; await sleep(5_000)) {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await fetch(`${service.url}/metrics`, { headers }).then(
      (answer) => answer.text(),
      () => '',
    );
    for (const [, name = '', value] of text.matchAll(
      /^(stemma_(?:heavy_work|held_bytes|database_connections)\{[^}]*\}) (\S+)$/gm,
    )) {
      fullest.set(name, Math.max(fullest.get(name) ?? 0, Number(value)));
    }
  }
}

const percentile = (sorted: readonly number[], part: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);

function rowOf(kind: string, some: readonly Deed[]): string {
  const times = some.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const statuses = Object.entries(Object.groupBy(some, ({ status }) => status)).map(
    ([status, all]) => `${all?.length} × ${status}`,
  );
  return `| ${kind} | ${some.length} | ${[0.5, 0.99, 1].map((part) => percentile(times, part)).join(' | ')} | ${statuses.join(', ')} |`;
}

function reportDeeds(): void {
  console.log('\n| ordinary requests | number | p50 ms | p99 ms | longest ms | statuses |');
  console.log('| --- | ---: | ---: | ---: | ---: | --- |');
  for (const [kind, some = []] of Object.entries(Object.groupBy(deeds, (deed) => deed.kind)))
    console.log(rowOf(kind, some));
  console.log(rowOf('all', deeds));
  const start = Math.min(...deeds.map(({ began }) => began));
  const byMinute = Object.groupBy(deeds, ({ began }) => `minute ${Math.floor((began - start) / 60_000)}`);
  for (const [minute, some = []] of Object.entries(byMinute)) console.log(rowOf(minute, some));
  const slow = deeds.filter(({ ms }) => ms >= MOST.p99Ms);
  const bySecond = Map.groupBy(slow, ({ began }) => Math.floor((began - start) / 1_000));
  const counts = [...bySecond].toSorted(([a], [b]) => a - b).map(([second, some]) => `${second} s: ${some.length}`);
  console.log(`\nSlower than ${MOST.p99Ms} ms, by the second in which they began: ${counts.join(', ')}`);
}

function reportAttacks(answers: Answers): void {
  console.log('\n| attack | answers |\n| --- | --- |');
  for (const [name, statuses] of Object.entries(answers).toSorted()) {
    const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
    console.log(`| ${name} | ${counts.join(', ')} |`);
  }
}

/**
 * Attackers compute on machines of their own. Here they share the processors with the service, so they only get what it
 * does not use (sched(7), SCHED_IDLE): what they attack with is not less, as the table of their answers shows.
 */
function yieldProcessors(pid: number): void {
  setPriority(pid, ATTACKERS_NICE);
  try {
    execFileSync('chrt', ['--idle', '--all-tasks', '--pid', '0', String(pid)]);
  } catch {
    console.log('There is no chrt (util-linux): attackers compute with a nice value only.');
  }
}

const attackers = IS_ATTACKED ? fork(join(import.meta.dirname, 'attackers.ts'), { stdio: 'inherit' }) : undefined;
if (attackers?.pid !== undefined) yieldProcessors(attackers.pid);
try {
  const { people, ground } = arranging(service.url, TOKEN);
  const attacked = await ground(siteUrl);
  const everybody = await people();
  await sleep(5_000);
  service.measure();
  const cpuBefore = (await service.usage()).cpuMs;
  attackers?.send(attacked);
  const watching = [watchMemory(), watchMetrics()];
  const lives = everybody.map((person, index) => live(person, index, ending.signal, (deed) => deeds.push(deed)));
  for (let left = MINUTES * 60; left > 0 && service.isRunning(); left--) {
    await sleep(1_000);
    if (left % 60 === 1 && service.isRunning()) longestByMinute.push((await service.usage()).longestDelayMs);
  }
  const isRunning = service.isRunning();
  const usage = isRunning ? await service.usage() : undefined;
  ending.abort();
  await Promise.all([...watching, ...lives]);
  const told = attackers && once(attackers, 'message');
  attackers?.send('answers');
  const [{ answers, faults }] = ((await told) ?? [{ answers: {}, faults: [] }]) as [
    { answers: Answers; faults: string[] },
  ];

  const { p50 = 0, p99 = 0, max = Number.POSITIVE_INFINITY } = usage?.delayMs ?? {};
  const ordinary = percentile(
    deeds.map(({ ms }) => ms).toSorted((a, b) => a - b),
    0.99,
  );
  const megabytes = Math.round(memory.service / MEGABYTE);
  const own = deeds
    .filter(({ status }) => status === '500' || status === 'broken')
    .map(({ kind, body }) => `${kind}: ${body}`);
  const bad = [...faults, ...own];
  const checks: [string, string, boolean][] = [
    [
      'event loop, p50 / p99 / longest delay (ms)',
      [p50, p99, max].map((ms) => ms.toFixed(0)).join(' / '),
      max < MOST.delayMs,
    ],
    ['ordinary requests, p99 (ms)', String(ordinary), ordinary < MOST.p99Ms],
    ['memory of the service and its helpers, most (MB)', String(megabytes), megabytes < MOST.megabytes],
    ['answers of 500, broken connections of people', String(bad.length), bad.length === 0],
    ['the service has ended', isRunning ? 'no' : 'yes', isRunning],
  ];
  console.log(
    `\n${MINUTES} minutes ${IS_ATTACKED ? 'under attack' : 'without attackers'}\n\n| figure | value | |\n| --- | ---: | --- |`,
  );
  for (const [name, value, isKept] of checks) console.log(`| ${name} | ${value} | ${isKept ? 'kept' : '**missed**'} |`);
  const parts = memory.parts.map((bytes) => Math.round(bytes / MEGABYTE)).join(' + ');
  console.log(`| by process, the event loop first (MB) | ${parts} | |`);
  console.log(`| longest delay in each minute (ms) | ${longestByMinute.map((ms) => ms.toFixed(0)).join(', ')} | |`);
  console.log(
    `| memory of PostgreSQL beside it, shared pages counted for each process (MB) | ${Math.round(memory.postgres / MEGABYTE)} | |`,
  );
  console.log(
    `| processor time of the service's process (s) | ${Math.round(((usage?.cpuMs ?? 0) - cpuBefore) / 1_000)} | |`,
  );
  reportDeeds();
  reportAttacks(answers);
  console.log('\n| gauge | highest |\n| --- | ---: |');
  for (const [name, value] of [...fullest].toSorted()) console.log(`| \`${name}\` | ${value} |`);
  const unexpected = deeds.filter(({ body }) => body !== undefined).slice(0, 10);
  for (const { kind, status, body } of unexpected) console.log(`\nordinary, ${kind}: ${status} ${body}`);
  for (const fault of bad.slice(0, 20)) console.log(`\nfault: ${fault}`);
  if (checks.some(([, , isKept]) => !isKept)) process.exitCode = 1;
} finally {
  ending.abort();
  attackers?.kill('SIGKILL');
  if (service.isRunning()) await service.stop();
  site.closeAllConnections();
  site.close();
  await rm(directory, { recursive: true, force: true });
}
