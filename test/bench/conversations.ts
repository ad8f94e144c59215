import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { randomFrom } from '../../src/lib/grouping/random.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded.ts';
import { SECRET_KEY } from './database.ts';
import { fillPeople, TOKENS } from './fill/people.ts';
import { labelledQuestions } from './grouping/labelled.ts';

/*
 * Ingests conversations at a steady rate over HTTP and measures the rate that is reached, and the time from the last
 * one until all are grouped.
 *
 *   node test/bench/conversations.ts [NUMBER] [PER SECOND]
 */

const [COUNT, RATE] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 500)];
const BATCH = 25;

/** The labelled questions with some of their words left out, so that no two are the same. */
function conversations(): object[] {
  const questions = labelledQuestions();
  const random = randomFrom(3);
  return Array.from({ length: COUNT }, (_, index) => {
    const { subject, question } = questions[index % questions.length] ?? { subject: null, question: '' };
    const body = question
      .split(' ')
      .filter(() => random() > 0.15)
      .join(' ');
    const parts = [
      {
        type: 'message',
        role: 'user',
        body: `${body} Reply to jane.${index}@example.com or +49 30 ${1_000_000 + index}.`,
      },
      { type: 'message', role: 'team-member', body: 'Thank you for your message. We look into it.' },
    ];
    return { id: `ticket-${index}`, ...(subject === null ? {} : { subject }), parts };
  });
}

const directory = await mkdtemp(join(tmpdir(), 'stemma-conversations-'));
const dataDir = await openDataDir(directory);
const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
const config = readConfig({
  PORT: '0',
  DEMO: '0',
  RATE_LIMIT: '0',
  WORKERS: '1',
  DATA_DIR: join(directory, 'service'),
});
const app = await createApp({ config, databaseUrl: server.url, secretKey: SECRET_KEY, log: pino({ level: 'error' }) });
try {
  const url = `http://127.0.0.1:${await app.listen()}`;
  const [staff] = await fillPeople(app.services.db, 1);
  if (!staff) throw new Error('There is no organization.');
  await ingest(`${url}/v1/orgs/${staff.organizationId}/conversations`);
  await whenGrouped();
} finally {
  await app.close();
  await server.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}

async function ingest(address: string): Promise<void> {
  const all = conversations();
  const began = performance.now();
  const running: Promise<number>[] = [];
  for (let start = 0; start < all.length; start += BATCH) {
    const due = began + (start / RATE) * 1_000 - performance.now();
    if (due > 0) await sleep(due);
    running.push(post(address, all.slice(start, start + BATCH)));
  }
  const milliseconds = (await Promise.all(running)).toSorted((a, b) => a - b);
  const seconds = (performance.now() - began) / 1_000;
  const at = (share: number) => Math.round(milliseconds[Math.floor(milliseconds.length * share)] ?? 0);
  console.log(`${COUNT} conversations in ${seconds.toFixed(1)} s: ${Math.round(COUNT / seconds)} a second`);
  console.log(`A request with ${BATCH}: ${at(0.5)} ms (median), ${at(0.99)} ms (99%)`);
}

async function post(address: string, body: object[]): Promise<number> {
  const began = performance.now();
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKENS.admin}` },
    body: JSON.stringify(body),
  });
  if (response.status !== 204) throw new Error(`${response.status}: ${await response.text()}`);
  return performance.now() - began;
}

async function whenGrouped(): Promise<void> {
  const began = performance.now();
  for (;;) {
    const state = await app.services.db.selectFrom('issues_grouping').selectAll().executeTakeFirst();
    const waiting = await app.services.db
      .selectFrom('conversation')
      .where('processedAt', 'is', null)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const isDone = state && waiting.count === 0 && state.leasedUntil === null && state.requestedAt === null;
    if (isDone) break;
    if (performance.now() - began > 600_000) throw new Error('The conversations are not grouped after ten minutes.');
    await sleep(250);
  }
  const seconds = (performance.now() - began) / 1_000;
  const { count, issues } = await app.services.db
    .selectFrom('issues_cluster')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.sum<number>('issuesCount').as('issues')])
    .executeTakeFirstOrThrow();
  console.log(`Grouped ${seconds.toFixed(1)} s after the last: ${count} clusters of ${issues} issues`);
}
