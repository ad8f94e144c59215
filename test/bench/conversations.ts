import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../../src/lib/grouping/random.ts';
import type { Database } from '../../src/platform/database/tables.ts';
import { TOKENS } from './fill/people.ts';
import { labelledQuestions } from './grouping/labelled.ts';
import { withService } from './with-service.ts';

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

await withService(async ({ app, url, organizationId }) => {
  await ingest(`${url}/v1/orgs/${organizationId}/conversations`);
  await whenGrouped(app.services.db);
});

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

async function whenGrouped(db: Database): Promise<void> {
  const began = performance.now();
  for (;;) {
    const state = await db.selectFrom('issues_grouping').selectAll().executeTakeFirst();
    const waiting = await db
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
  const { count, issues } = await db
    .selectFrom('issues_cluster')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.sum<number>('issuesCount').as('issues')])
    .executeTakeFirstOrThrow();
  console.log(`Grouped ${seconds.toFixed(1)} s after the last: ${count} clusters of ${issues} issues`);
}
