import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { asked, grouped, QUESTIONS } from './conversations.ts';

const here = await world();
const { app, admin, reader, organizationId } = here;
const base = `/v1/orgs/${organizationId}`;
const source = `integration:api:${admin.userId}`;

interface Issue {
  title: string;
  summary: string;
  language?: string;
  cluster?: string;
}

const issues = async (): Promise<Issue[]> =>
  (await reader.get(`${base}/conversations-issues?limit=100`)).body.items.map(({ issue }: { issue: Issue }) => issue);

const purge = () => admin.mutate('purgeConversations', { organizationId, source }, 'deletedCount');

test.each([
  ['scripts nested deeply', `${'<div><script>alert(1)</script>'.repeat(3_000)}Where is the invoice?`],
  ['brackets that never close', `Where is the invoice? ${'[!['.repeat(30_000)}`],
  ['tags that never close', `Where is the invoice? ${'<a href="'.repeat(10_000)}`],
  ['emphasis that never closes', `Where is the invoice? ${'*_'.repeat(49_000)}`],
  ['quotations in quotations', `Where is the invoice?\n${'>'.repeat(99_000)}`],
  ['entities', `Where is the invoice? ${'&amp;lt;'.repeat(12_000)}`],
  ['one long word', `Where is the invoice? ${'x'.repeat(99_000)}`],
])('a body of %s is stored, and its question is found', async (name, body) => {
  await admin.post(`${base}/conversations`, asked(name, body));
  await grouped(here);
  const [issue] = await issues();
  expect(issue?.title.length).toBeLessThanOrEqual(100);
  expect(issue?.summary.length).toBeLessThanOrEqual(300);
  expect(issue?.summary).not.toContain('<script>');
  await purge();
});

test('questions in unknown languages, and without words, are issues; those that ask the same are grouped', async () => {
  const bodies = [
    'የይለፍ ቃሌን እንዴት እቀይራለሁ',
    'የይለፍ ቃሌን እንዴት መቀየር እችላለሁ',
    'zxqv wvut qqzz',
    '🙂🙂🙂',
    '12345 67890',
    '',
    '\u200b\u202e',
  ];
  await admin.post(
    `${base}/conversations`,
    bodies.map((body, index) => asked(`odd-${index}`, body)),
  );
  await grouped(here, true);
  const found = await issues();
  expect(found).toHaveLength(bodies.length);
  expect(found.find(({ title }) => title.startsWith('zxqv'))?.language).toBeUndefined();
  const [first, second] = found.filter(({ title }) => title.startsWith('የይለፍ'));
  expect(first?.cluster).toBeDefined();
  expect(second?.cluster).toBe(first?.cluster);
  expect(found.filter(({ cluster }) => cluster !== undefined)).toHaveLength(2);
  await purge();
});

test('a source that is deleted while its conversations are grouped leaves nothing behind', async () => {
  for (const isComplete of [false, true]) {
    await admin.post(
      `${base}/conversations`,
      QUESTIONS.map((body, index) => asked(`q${index}`, body)),
    );
    if (isComplete) await grouped(here);
    await Promise.all([grouped(here, isComplete), purge()]);
    await grouped(here, true);
    const { db } = app.services;
    for (const table of ['conversation', 'conversation_issue', 'issues_cluster'] as const) {
      const rows = await db.selectFrom(table).where('organizationId', '=', organizationId).select('id').execute();
      expect([table, rows]).toEqual([table, []]);
    }
  }
});

test('conversations that are replayed and reordered while they are grouped are one issue each', async () => {
  const sent = QUESTIONS.map((body, index) => asked(`q${index}`, body));
  await admin.post(`${base}/conversations`, sent);
  await Promise.all([
    grouped(here),
    admin.post(`${base}/conversations`, sent.toReversed()),
    admin.post(`${base}/conversations`, [...sent.slice(6), ...sent.slice(0, 6)]),
  ]);
  await grouped(here, true);
  expect((await issues()).map(({ title }) => title).sort()).toEqual(
    QUESTIONS.map((body) => body.replace(/(?<=[.!?]).*/s, '')).sort(),
  );
  const { body } = await reader.get(`${base}/conversations-clusters`);
  expect(body.items.map(({ stats }: { stats: { issues: number } }) => stats.issues)).toEqual([4, 4, 4]);
});
