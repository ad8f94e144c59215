import { beforeEach, expect, test } from 'vitest';
import { groupIssues } from '../../../src/domain/insight/conversations/group-issues.ts';
import { sweepGroupings } from '../../../src/domain/insight/conversations/sweep-groupings.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { makeProviderServer } from '../../sources/translations/provider-server.ts';
import { world } from '../../world.ts';
import { asked } from './conversations.ts';

const here = await world({ ALLOW_PRIVATE_NETWORK: '1', FETCH_TIMEOUT_MS: '400' });
const { app, admin, reader, guest, outsider, organizationId, otherOrganizationId } = here;
const { db } = app.services;
const base = `/v1/orgs/${organizationId}`;
const server = await makeProviderServer();

/** What the questions are about is known to the model only: no two have a word in common. */
const TOPICS = [
  ['apple', 'pear', 'quince', 'plum', 'cherry'],
  ['hammer', 'chisel', 'pliers', 'wrench', 'saw'],
  ['violin', 'oboe', 'trumpet', 'harp', 'cello'],
];
const WIDTH = 12;

/** A vector near that of its topic, as models give them: all of them point in a similar direction. */
function vectorOf(text: string): number[] {
  const topic = TOPICS.findIndex((words) => words.some((word) => text.includes(word)));
  return Array.from(
    { length: WIDTH },
    (_, place) => 1 + (place % 3 === topic ? 0.5 : 0) + ((text.length * place) % 7) / 100,
  );
}

const vectors = ({ body }: { body: { input: string[] } }) => ({
  object: 'list',
  model: 'vectors',
  // In another order than that of the texts: `index` says which is which.
  data: body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })).toReversed(),
  usage: { prompt_tokens: 1, total_tokens: 1 },
});

const settings = { url: `${server.url}/v1`, apiKey: 'sk-secret', model: 'vectors', characterLimit: null };
type Settings = Omit<typeof settings, 'characterLimit'> & { characterLimit: number | null };

/** Services with the given model. */
const servicesWith = (embeddings: Settings | null) => ({
  ...app.services,
  config: { ...app.services.config, embeddings },
});

const grouped = (embeddings: Settings | null = settings, isComplete = false) =>
  groupIssues.run(
    jobContext(servicesWith(embeddings), 'test'),
    { organizationId, isComplete },
    { signal: new AbortController().signal, retries: 0 },
  );

const ingest = (words: readonly string[]) =>
  admin.post(
    `${base}/conversations`,
    words.map((word) => asked(word, `${word} jane@example.com`)),
  );

/** The words of the questions of each cluster. */
async function clusters(): Promise<string[][]> {
  const { body } = await reader.get(`${base}/conversations-issues?limit=100`);
  const issues = body.items.map(({ issue }: { issue: object }) => issue) as { title: string; cluster?: string }[];
  const byCluster = Map.groupBy(
    issues.filter(({ cluster }) => cluster !== undefined),
    ({ cluster }) => cluster,
  );
  return [...byCluster.values()].map((each) => each.map(({ title }) => title.split(' ')[0] ?? '').sort()).sort();
}

const state = async () => (await reader.get(`${base}/conversations-grouping`)).body;

const sorted = (topics: string[][]) => topics.map((words) => words.toSorted()).sort();

const textsSent = () => server.asked.flatMap(({ body }) => body.input as string[]);

beforeEach(async () => {
  server.answer = vectors;
  for (const table of [
    'conversation',
    'conversation_issue',
    'issues_cluster',
    'issues_grouping',
    'embedding_usage',
  ] as const) {
    await db.deleteFrom(table).execute();
  }
  await ingest(TOPICS.flat());
  server.asked.length = 0;
});

test('without a model nothing is sent, and words are compared', async () => {
  await grouped(null);
  expect(server.asked).toEqual([]);
  expect(await clusters()).toEqual([]);
  expect(await state()).toMatchObject({ comparison: 'words', issues: 15, usage: { requests: 0 } });
});

test('with a model, issues are grouped by its vectors of the redacted questions', async () => {
  await grouped();
  expect(await clusters()).toEqual(sorted(TOPICS));
  const [first] = server.asked;
  expect(first).toMatchObject({
    path: '/v1/embeddings',
    headers: { authorization: 'Bearer sk-secret' },
    body: { model: 'vectors', encoding_format: 'float' },
  });
  expect(textsSent().sort()).toEqual(
    TOPICS.flat()
      .map((word) => `${word} [email]`)
      .sort(),
  );
  const characters = textsSent().join('').length;
  expect(await state()).toMatchObject({
    comparison: 'model',
    issues: 15,
    usage: { requests: 1, texts: 15, characters },
  });
  const { organization } = await reader.graphql(
    'query ($id: ID!) { organization(id: $id) { issuesGrouping { comparison error groupedAt usage { month texts } } } }',
    { id: organizationId },
  );
  expect(organization.issuesGrouping).toMatchObject({ comparison: 'MODEL', error: null, usage: { texts: 15 } });
  await grouped(settings, true);
  expect(server.asked).toHaveLength(1);
});

test('a new issue joins the cluster that its vector is near, and only it is sent', async () => {
  await grouped();
  server.asked.length = 0;
  await ingest(['a second pear']);
  await grouped();
  expect(textsSent()).toEqual(['a second pear [email]']);
  expect((await clusters()).map((words) => words.length).sort()).toEqual([5, 5, 6]);
});

test('another model, and none, group all issues anew; clusters keep their ids', async () => {
  await grouped();
  const ids = async () =>
    (await db.selectFrom('issues_cluster').select('id').orderBy('id').execute()).map(({ id }) => id);
  const before = await ids();
  const other = { ...settings, model: 'other' };
  await sweepGroupings.run(
    jobContext(servicesWith(other), 'test'),
    {},
    { signal: new AbortController().signal, retries: 0 },
  );
  server.asked.length = 0;
  await grouped(other);
  expect(server.asked[0]?.body.model).toBe('other');
  expect([await clusters(), await ids()]).toEqual([sorted(TOPICS), before]);
  await grouped(null);
  expect(await state()).toMatchObject({ comparison: 'words' });
  expect(await clusters()).toEqual([]);
});

const FAILURES: [string, string, typeof server.answer][] = [
  ['hangs', 'FETCH_TIMEOUT', () => undefined],
  ['answers garbage', 'does not contain vectors', () => '<html>'],
  ['answers half', '15 vectors', ({ body }) => ({ data: vectors({ body }).data.slice(7) })],
  [
    'answers the same question twice',
    '15 vectors',
    ({ body }) => ({ data: vectors({ body }).data.map((each) => ({ ...each, index: 0 })) }),
  ],
  [
    'answers vectors of different lengths',
    '15 vectors',
    ({ body }) => ({
      data: vectors({ body }).data.map((each) => ({ ...each, embedding: each.embedding.slice(each.index % 2) })),
    }),
  ],
  [
    'answers with an index that does not exist',
    '15 vectors',
    ({ body }) => ({ data: vectors({ body }).data.map((each) => ({ ...each, index: each.index + 1e9 })) }),
  ],
  [
    'answers text instead of numbers',
    '15 vectors',
    ({ body }) => ({
      data: vectors({ body }).data.map((each) => ({ ...each, embedding: each.embedding.map(String) })),
    }),
  ],
  ['refuses the key', 'status 401', (_, response) => void response.writeHead(401).end('{}')],
  ['redirects', 'status 302', (_, response) => void response.writeHead(302, { location: 'http://example.com/' }).end()],
];

test.each(FAILURES)(
  'a model that %s leaves the grouping by words, says so, and is asked again later',
  async (_, reason, answer) => {
    server.answer = answer;
    await grouped();
    const failed = await state();
    expect(failed).toMatchObject({ comparison: 'words', issues: 15, failedAt: expect.any(String) });
    expect(failed.error).toContain(reason);
    expect(failed.error).not.toContain('127.0.0.1');
    expect(server.asked).toHaveLength(1);
    await grouped();
    expect(server.asked).toHaveLength(1);
    server.answer = vectors;
    here.advance(11 * 60_000);
    await grouped();
    expect(await clusters()).toEqual(sorted(TOPICS));
    expect(await state()).toMatchObject({ comparison: 'model' });
    expect((await state()).error).toBeUndefined();
  },
);

test('a model that is overloaded is asked again at once', async () => {
  server.answer = (one, response) => (server.asked.length < 2 ? void response.writeHead(429).end('{}') : vectors(one));
  await grouped();
  expect(server.asked).toHaveLength(2);
  expect(await clusters()).toEqual(sorted(TOPICS));
});

test('what was answered before a failure is stored, and not sent again', async () => {
  await ingest(Array.from({ length: 30 }, (_, index) => `oboe-${index}`));
  server.answer = (one) => (one.body.input.length === 32 ? vectors(one) : { data: [] });
  await grouped();
  expect(await state()).toMatchObject({ comparison: 'words', usage: { requests: 2, texts: 45 } });
  server.asked.length = 0;
  server.answer = vectors;
  here.advance(11 * 60_000);
  await grouped();
  expect(textsSent()).toHaveLength(13);
  expect(await state()).toMatchObject({ comparison: 'model', issues: 45 });
});

test('the limit of characters is not exceeded', async () => {
  const limited = { ...settings, characterLimit: 100 };
  await grouped(limited);
  expect(server.asked).toEqual([]);
  expect((await state()).error).toContain('100 characters');
  expect(await state()).toMatchObject({ comparison: 'words' });
});

test('vectors that are longer than what is stored are projected', async () => {
  server.answer = (one) => ({
    data: vectors(one).data.map((each) => ({
      ...each,
      embedding: Array.from({ length: 1_536 }, (_, place) => each.embedding[place % WIDTH] ?? 0),
    })),
  });
  await grouped();
  expect(await clusters()).toEqual(sorted(TOPICS));
  const row = await db.selectFrom('conversation_issue').select('embedding').limit(1).executeTakeFirstOrThrow();
  expect(row.embedding).toHaveLength(256);
});

/** The vectors of the model with this length, which is cut, or filled by repeating them. */
const resized = (length: number) => (one: Parameters<typeof vectors>[0]) => ({
  data: vectors(one).data.map((each) => ({
    ...each,
    embedding: Array.from({ length }, (_, place) => each.embedding[place % WIDTH] ?? 0),
  })),
});

test.each([
  [WIDTH, 9],
  // Both are stored with 256 numbers.
  [300, 408],
])('a model that returns vectors of another length (%i, %i) is asked for all of them again', async (first, then) => {
  server.answer = resized(first);
  await grouped();
  server.answer = resized(then);
  await ingest(['a second pear']);
  await grouped();
  expect(textsSent()).toHaveLength(15 + 1 + 15);
  expect(await state()).toMatchObject({ comparison: 'model', issues: 16 });
  const [fruits, ...others] = [...TOPICS];
  expect(await clusters()).toEqual(sorted([['a', ...(fruits ?? [])], ...others]));
  server.asked.length = 0;
  await grouped();
  expect(server.asked).toEqual([]);
});

test('a model that mixes lengths of vectors is not asked again for a while', async () => {
  await ingest(Array.from({ length: 30 }, (_, index) => `oboe-${index}`));
  server.answer = (one) => (one.body.input.length === 32 ? vectors(one) : resized(9)(one));
  await grouped();
  expect(await state()).toMatchObject({ comparison: 'words', failedAt: expect.any(String) });
  expect((await state()).error).toContain('different lengths');
  server.asked.length = 0;
  await grouped();
  expect(server.asked).toEqual([]);
});

test('going back to a model sends only what the other one has replaced', async () => {
  await ingest(Array.from({ length: 30 }, (_, index) => `oboe-${index}`));
  await grouped();
  server.answer = (one) => (one.body.input.length === 32 ? resized(9)(one) : { data: [] });
  await grouped({ ...settings, model: 'other' });
  expect((await state()).error).toContain('13 vectors');
  server.answer = vectors;
  server.asked.length = 0;
  here.advance(11 * 60_000);
  await grouped();
  expect(textsSent()).toHaveLength(32);
  expect(await state()).toMatchObject({ comparison: 'model', issues: 45 });
});

const { boss } = app.services.jobs;

/** The jobs of the organization that wait to group its issues. */
async function waiting() {
  const jobs = await boss.findJobs<{ organizationId: string; isComplete?: boolean }>('group-issues', { queued: true });
  return jobs.filter(({ groupId, data }) => groupId === organizationId && data.organizationId === organizationId);
}

const sweep = (services = servicesWith(settings)) =>
  sweepGroupings.run(jobContext(services, 'test'), {}, { signal: new AbortController().signal, retries: 0 });

test('one job of an organization waits, however often it is swept and conversations arrive', async () => {
  await grouped(null);
  await boss.deleteQueuedJobs('group-issues');
  await sweep();
  await sweep();
  expect(await waiting()).toHaveLength(1);
  await ingest(['a second pear']);
  await grouped(null);
  await ingest(['a third pear']);
  expect(await waiting()).toHaveLength(1);
});

test('at three in the morning, the job that waits groups all issues', async () => {
  await grouped(null);
  await ingest(['a second pear']);
  await grouped(null);
  await boss.deleteQueuedJobs('group-issues');
  const night = new Date(Date.now() + 48 * 3_600_000);
  night.setUTCHours(3, 10);
  await sweep({ ...servicesWith(settings), clock: () => night });
  expect((await waiting()).map(({ data }) => data)).toEqual([{ organizationId, isComplete: true }]);
});

test('guests and outsiders do not see the state of the grouping', async () => {
  expect((await guest.get(`${base}/conversations-grouping`)).status).toBe(403);
  expect((await outsider.get(`${base}/conversations-grouping`)).status).toBe(404);
  expect((await admin.get(`/v1/orgs/${otherOrganizationId}/conversations-grouping`)).status).toBe(404);
});
