import { beforeAll, expect, test } from 'vitest';
import { siteWith } from '../publishing/arrange.ts';
import { follow } from '../stream.ts';
import { world } from '../world.ts';

const service = await world({ QUERY_COST_PER_MINUTE: '5000', MAX_QUERY_COST: '100000' });
const { admin, creator, editor, outsider, anonymous, advance, organizationId } = service;

const PAGES = 600;
const unhurried = await world();
let spaceId = '';
let otherSpaceId = '';

beforeAll(async () => {
  spaceId = await newTree(service);
  otherSpaceId = await newTree(unhurried);
});

async function newTree({ admin, organizationId }: typeof service): Promise<string> {
  const { body } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Tree', empty: true });
  const changes = Array.from({ length: 50 }, (_, page) => ({
    operation: 'insert_page',
    title: `Page ${page}`,
    document: { markdown: 'Short.' },
  }));
  for (let made = 0; made < PAGES; made += changes.length)
    await admin.post(`/v1/spaces/${body.id}/content`, { changes });
  return body.id;
}

const treesOf = (id: string, count: number) => {
  const tree = `space(id: "${id}") { revision { pages { ... on DocumentPage { title } } } }`;
  return `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${tree}`).join(' ')} }`;
};
const trees = (count: number) => treesOf(spaceId, count);
const wide = (count: number) => treesOf(otherSpaceId, count);
const CHEAP = '{ viewer { id } }';

/** The cost is that of the pages; the document alone looks cheap. */
const useUp = (count = 9) => admin.graphqlRaw(trees(count));

test('a caller who has used up the allowance is told when to come back, in the error of the API', async () => {
  expect((await useUp()).status).toBe(200);
  const { status, headers, body } = await useUp();
  expect([status, body.error.code, body.errors[0].extensions.code]).toEqual([429, 429, 'RATE_LIMITED']);
  expect(body.errors[0].message).toContain('Query cost limit of 5000 per minute');
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(60);

  // A document that looks cheap is stopped at the list that makes it expensive.
  expect((await useUp(1)).status).toBe(429);
  // So is a long list in REST, which costs an object for each item.
  const list = (limit: number) => admin.get(`/v1/spaces/${spaceId}/comments?limit=${limit}`);
  const long = await list(1_000);
  expect([long.status, long.body.error.code, Number(long.headers.get('retry-after')) > 0]).toEqual([429, 429, true]);
  expect((await list(100)).status).toBe(200);
  // What is cheap goes on, and so do all others.
  expect((await admin.graphqlRaw(CHEAP)).status).toBe(200);
  expect((await admin.get(`/v1/spaces/${spaceId}`)).status).toBe(200);
  expect((await editor.graphqlRaw(trees(2))).status).toBe(200);

  // What was cheap has been charged, too.
  advance((seconds + 10) * 1_000);
  expect((await useUp(1)).status).toBe(200);
});

test('a query with the key of a share link is charged like one without', async () => {
  const site = await siteWith(admin, organizationId, { visibility: 'share-link', spaces: [spaceId] });
  await admin.post(`${site.path}/publish`);
  const { shareLink } = await admin.mutate('createShareLink', { siteId: site.id, name: '' }, 'shareLink { key }');
  const keyed = trees(9).replaceAll(`(id: "${spaceId}")`, `(id: "${spaceId}", shareKey: "${shareLink.key}")`);
  const statuses: number[] = [];
  for (let count = 0; count < 2; count++) statuses.push((await creator.graphqlRaw(keyed)).status);
  expect(statuses).toEqual([200, 429]);
});

test('each event of a subscription is charged to its subscriber', async () => {
  const { app, reader } = service;
  const tree = 'target { space { revision { pages { ... on DocumentPage { title } } } } }';
  const query = `subscription ($id: ID!) { commentPosted(spaceId: $id) { id ${tree} } }`;
  const stream = await follow(app, reader, { query, variables: { id: spaceId } });
  for (let posted = 0; posted < 12; posted++) {
    await admin.post(`/v1/spaces/${spaceId}/comments`, { body: { markdown: 'Hello' } });
    await expect.poll(() => stream.answers.length > posted, { interval: 20 }).toBe(true);
  }
  expect(stream.answers.length).toBeGreaterThan(5);
  expect(stream.answers.at(-1)?.errors?.[0]?.extensions.code).toBe('RATE_LIMITED');
  stream.close();
});

test('addresses without a token have an allowance, which they do not share with users', async () => {
  const costly = `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: space(id: "x") { changeRequests(first: 100) { nodes { id } } }`).join(' ')} }`;
  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) statuses.push((await anonymous.graphqlRaw(costly)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await anonymous.graphqlRaw('{ __typename }')).status).toBe(200);
  expect((await outsider.graphqlRaw(costly)).status).toBe(200);
});

test('expensive queries of a caller take turns, a few wait, and neither cheap ones nor others wait for them', async () => {
  const { admin, reader, app } = unhurried;
  const { body } = await admin.get('/v1/user');
  const ctx = {
    actor: { kind: 'user', userId: body.id, isOperator: true, by: 'token' } as const,
    inTransaction: false,
  };
  const slot = await app.services.heavyWork.begin('query', { ctx, organizationId: undefined });
  // Their cost is only known when their lists are.
  const waiting = Array.from({ length: 41 }, () => admin.graphqlRaw(wide(18)));
  const refused = await Promise.race(waiting);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(refused.body.errors[0].extensions.code).toBe('RATE_LIMITED');
  const others = await Promise.all([admin.graphqlRaw(CHEAP), reader.graphqlRaw(CHEAP), reader.graphqlRaw(wide(18))]);
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
  slot[Symbol.dispose]();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array.from({ length: 40 }, () => 200), 429]);
});
