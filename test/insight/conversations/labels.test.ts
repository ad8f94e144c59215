import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { describeClusters } from '../../../src/domain/insight/conversations/describe-clusters.ts';
import { sweepGroupings } from '../../../src/domain/insight/conversations/sweep-groupings.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { makeProviderServer } from '../../sources/translations/provider-server.ts';
import { world } from '../../world.ts';
import { asked, grouped, QUESTIONS } from './conversations.ts';

const here = await world({ ALLOW_PRIVATE_NETWORK: '1', FETCH_TIMEOUT_MS: '1500' });
const { app, admin, reader, guest, organizationId } = here;
const { db } = app.services;
const base = `/v1/orgs/${organizationId}`;
const server = await makeProviderServer();

const settings = { url: `${server.url}/v1`, apiKey: 'sk-secret', model: 'chat', characterLimit: null as number | null };

// Requests read the same settings as the job.
app.services.config.labels = settings;

const completion = (content: unknown) => ({ choices: [{ message: { role: 'assistant', content } }] });

const questionsOf = ({ body }: { body: { messages: { content: string }[] } }): string[] =>
  JSON.parse(body.messages.at(-1)?.content ?? '').questions;

/** The word that the questions share, as a model finds it. */
const subjectOf = (questions: readonly string[]) =>
  ['password', 'VAT', 'PDF'].find((word) => questions.some((question) => question.includes(word))) ?? 'Others';

const described: typeof server.answer = (one) => {
  const subject = subjectOf(questionsOf(one));
  const answer = { label: `On ${subject}`, summary: `Visitors ask about ${subject}.` };
  return completion(`\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``);
};

const answering = (label: unknown, summary: unknown) => () => completion(JSON.stringify({ label, summary }));

const describe = () =>
  describeClusters.run(
    jobContext(app.services, 'test'),
    { organizationId },
    { signal: new AbortController().signal, retries: 0 },
  );

const sweep = () =>
  sweepGroupings.run(jobContext(app.services, 'test'), {}, { signal: new AbortController().signal, retries: 0 });

interface Cluster {
  id: string;
  label: string;
  summary: string;
  labelOrigin: string;
}

const clusters = async (): Promise<Cluster[]> =>
  (await reader.restAs('listConversationsIssuesClusters', 'GET', `${base}/conversations-clusters`)).body.items;

const labels = async () => (await clusters()).map(({ label }) => label).sort();

const state = async () => (await reader.get(`${base}/conversations-grouping`)).body.labels;

const ingest = (from: number, bodies: readonly string[]) =>
  admin.post(
    `${base}/conversations`,
    bodies.map((body, index) => asked(`q${from + index}`, `${body} jane@example.com`)),
  );

/** Forgets the jobs of a queue, as if they had run. A sweep enqueues none for an organization for which one waits. */
const forgetJobs = (queue: string) => app.services.jobs.boss.deleteQueuedJobs(queue);

/** Jobs of a queue that have not started: this process has no worker. */
async function waiting(queue: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job where name = ${queue} and state = 'created'`.execute(db);
  return rows[0]?.count ?? 0;
}

beforeEach(async () => {
  app.services.config.labels = settings;
  server.answer = described;
  for (const table of [
    'conversation',
    'conversation_issue',
    'issues_cluster',
    'issues_cluster_description',
    'issues_grouping',
    'label_usage',
  ] as const) {
    await db.deleteFrom(table).execute();
  }
  await ingest(0, QUESTIONS);
  await grouped(here);
  server.asked.length = 0;
});

test('without a model nothing is sent, and labels and summaries come from the questions', async () => {
  app.services.config.labels = null;
  await describe();
  expect(server.asked).toEqual([]);
  for (const { label, summary, labelOrigin } of await clusters()) {
    expect([labelOrigin, label.startsWith('On ')]).toEqual(['words', false]);
    expect(summary).toContain('[email]');
  }
  expect(await state()).toMatchObject({ origin: 'words', usage: { requests: 0 } });
});

test('a model describes each cluster from its redacted questions, once', async () => {
  await describe();
  expect(await labels()).toEqual(['On PDF', 'On VAT', 'On password']);
  expect(server.asked).toHaveLength(3);
  const [first] = server.asked;
  expect(first).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer sk-secret' },
    body: { model: 'chat', temperature: 0, max_tokens: 1_000 },
  });
  const sent = server.asked.flatMap(questionsOf);
  expect(sent.toSorted()).toEqual(QUESTIONS.map((question) => `${question} [email]`).sort());
  expect(await state()).toEqual({
    origin: 'model',
    usage: { month: expect.any(String), requests: 3, texts: 12, characters: sent.join('').length },
  });
  await grouped(here, true);
  await describe();
  expect(server.asked).toHaveLength(3);
});

test('both transports say what label and summary come from', async () => {
  await describe();
  const [{ id, label, summary }] = (await clusters()) as [Cluster];
  const { organization } = await reader.graphql(`{ organization(id: "${organizationId}") {
    issuesCluster(id: "${id}") { label summary labelOrigin }
    issuesGrouping { labels { origin error characterLimit usage { requests texts } } } } }`);
  expect(organization.issuesCluster).toEqual({ label, summary, labelOrigin: 'MODEL' });
  expect(organization.issuesGrouping.labels).toMatchObject({ origin: 'MODEL', error: null, usage: { texts: 12 } });
  app.services.config.labels = null;
  const [without] = (await clusters()) as [Cluster];
  expect(without.labelOrigin).toBe('words');
});

test('a cluster is described again when its content has changed materially, and not before', async () => {
  await describe();
  server.asked.length = 0;
  await ingest(20, ['Please put the VAT number on the invoice', 'The VAT number on our invoice is wrong']);
  await grouped(here);
  await describe();
  expect(server.asked).toEqual([]);
  await ingest(
    30,
    QUESTIONS.filter((question) => question.includes('VAT')).map((question) => `${question} now`),
  );
  await grouped(here);
  server.answer = (one) =>
    completion(JSON.stringify({ label: `${subjectOf(questionsOf(one))} again`, summary: 'More.' }));
  await describe();
  expect(server.asked).toHaveLength(1);
  expect(await labels()).toEqual(['On PDF', 'On password', 'VAT again']);
});

test('what was made of a deleted question is deleted at once', async () => {
  await describe();
  const [{ id }] = (await clusters()).filter(({ label }) => label === 'On VAT') as [Cluster];
  const { body } = await reader.get(`${base}/conversations-issues?cluster=${id}`);
  await admin.delete(`${base}/conversations/${body.items[0].conversation.id}`);
  const after = (await clusters()).find((cluster) => cluster.id === id);
  expect(after).toMatchObject({ labelOrigin: 'words', summary: expect.stringContaining('[email]') });
  expect(JSON.stringify(after)).not.toContain('On VAT');
});

test('what is deleted while the model works is not stored', async () => {
  server.answer = async (one, response) => {
    await db.deleteFrom('conversation_issue').where('title', 'like', '%VAT%').execute();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await described(one, response)));
  };
  await describe();
  const rows = await db.selectFrom('issues_cluster_description').select('label').execute();
  expect(rows.map(({ label }) => label)).not.toContain('On VAT');
});

const UNUSABLE: [string, typeof server.answer][] = [
  ['writes prose', () => completion('I have grouped your questions!')],
  ['refuses', () => completion(null)],
  ['gives no summary', answering('A label', undefined)],
  ['gives an empty label', answering(' \n ', 'A summary.')],
  ['gives a label without letters', answering('???', 'A summary.')],
  ['gives a label that is too long', answering('long '.repeat(17), 'A summary.')],
  ['gives a summary that is too long', answering('A label', 'long '.repeat(61))],
  ['gives a number', answering(42, 'A summary.')],
];

test.each(UNUSABLE)('a model that %s is asked twice, and again after a day', async (_, answer) => {
  const before = await labels();
  server.answer = answer;
  await describe();
  expect(server.asked).toHaveLength(6);
  expect(await labels()).toEqual(before);
  expect(await state()).toMatchObject({ usage: { requests: 6 }, error: expect.stringContaining('3 clusters') });
  here.advance(11 * 60_000);
  await describe();
  expect(server.asked).toHaveLength(6);
  server.answer = described;
  here.advance(25 * 60 * 60_000);
  await describe();
  expect(await labels()).toEqual(['On PDF', 'On VAT', 'On password']);
  expect((await state()).error).toBeUndefined();
});

test('one unusable answer costs only the label of that cluster', async () => {
  server.answer = (one, response) =>
    subjectOf(questionsOf(one)) === 'PDF' ? completion('No.') : described(one, response);
  await describe();
  expect((await clusters()).map(({ labelOrigin }) => labelOrigin).sort()).toEqual(['model', 'model', 'words']);
});

test('labels are one line of text without control characters and personal data', async () => {
  server.answer = answering('  Bills\n\u0007and\u202e <b>VAT</b> ', 'Write to jane@example.com about it.');
  await describe();
  const [cluster] = (await clusters()) as [Cluster];
  expect(cluster).toMatchObject({ label: 'Bills and <b>VAT</b>', summary: 'Write to [email] about it.' });
});

const FAILURES: [string, string, typeof server.answer][] = [
  ['hangs', 'FETCH_TIMEOUT', () => undefined],
  ['answers garbage', 'is not a chat completion', () => '<html>'],
  ['answers too much', 'could not be reached', () => completion('x'.repeat(300_000))],
  ['refuses the key', 'status 401', (_, response) => void response.writeHead(401).end('{}')],
  ['redirects', 'status 302', (_, response) => void response.writeHead(302, { location: 'http://example.com/' }).end()],
];

test.each(FAILURES)('a model that %s leaves the labels, and is asked again later', async (_, reason, answer) => {
  const before = await labels();
  server.answer = answer;
  await describe();
  const failed = await state();
  expect(failed).toMatchObject({ failedAt: expect.any(String), error: expect.stringContaining(reason) });
  expect(failed.error).not.toContain('127.0.0.1');
  expect(server.asked).toHaveLength(3);
  await describe();
  expect(server.asked).toHaveLength(3);
  expect(await labels()).toEqual(before);
  server.answer = described;
  here.advance(11 * 60_000);
  await describe();
  expect(await labels()).toEqual(['On PDF', 'On VAT', 'On password']);
});

test('a model that is overloaded is asked again at once', async () => {
  server.answer = (one, response) =>
    server.asked.length < 4 ? void response.writeHead(429).end('{}') : described(one, response);
  await describe();
  expect(server.asked).toHaveLength(6);
  expect((await labels())[0]).toBe('On PDF');
});

test('what was answered before a failure is stored, and not sent again', async () => {
  server.answer = (one, response) =>
    subjectOf(questionsOf(one)) === 'PDF' ? void response.writeHead(500).end('{}') : described(one, response);
  await describe();
  expect(await state()).toMatchObject({ usage: { requests: 2 }, error: expect.stringContaining('status 500') });
  server.answer = described;
  server.asked.length = 0;
  here.advance(11 * 60_000);
  await describe();
  expect(server.asked).toHaveLength(1);
});

test('the limit of characters is not exceeded', async () => {
  app.services.config.labels = { ...settings, characterLimit: 100 };
  await describe();
  expect(server.asked).toEqual([]);
  expect(await state()).toMatchObject({ characterLimit: 100, error: expect.stringContaining('100 characters') });
});

test('another model describes all clusters anew, which the next sweep begins', async () => {
  await describe();
  await forgetJobs('describe-clusters');
  await sweep();
  expect(await waiting('describe-clusters')).toBe(0);
  app.services.config.labels = { ...settings, model: 'other' };
  await sweep();
  expect(await waiting('describe-clusters')).toBe(1);
  await describe();
  expect(server.asked.slice(3).map(({ body }) => body.model)).toEqual(['other', 'other', 'other']);
});

test('a job that is stopped is continued by the next sweep', async () => {
  const signal = AbortSignal.abort();
  const stopped = describeClusters.run(jobContext(app.services, 'test'), { organizationId }, { signal, retries: 0 });
  await expect(stopped).rejects.toThrow();
  expect(await state()).toMatchObject({ error: expect.stringContaining('has not described all clusters yet') });
  await forgetJobs('describe-clusters');
  await sweep();
  expect(await waiting('describe-clusters')).toBe(1);
  await describe();
  expect(await labels()).toEqual(['On PDF', 'On VAT', 'On password']);
});

test('two jobs do not ask about the same clusters', async () => {
  await Promise.all([describe(), describe()]);
  expect(server.asked).toHaveLength(3);
});

test('guests do not see the state', async () => {
  expect((await guest.get(`${base}/conversations-grouping`)).status).toBe(403);
});

test('issues that an earlier version has stored are derived again and stay in their clusters', async () => {
  const issues = () =>
    db
      .selectFrom('conversation_issue')
      .select(['id', 'clusterId', 'terms', 'concepts', 'derivation'])
      .orderBy('id')
      .execute();
  const before = await issues();
  expect(before.some(({ concepts }) => concepts !== '')).toBe(true);
  await db.updateTable('conversation_issue').set({ concepts: '', derivation: 0 }).execute();
  await forgetJobs('group-issues');
  await sweep();
  expect(await waiting('group-issues')).toBe(1);
  await grouped(here);
  expect(await issues()).toEqual(before);
});
