import { expect, test } from 'vitest';
import { type RestAnswer, statementsOf } from '../../client.ts';
import { world } from '../../world.ts';

const { admin, reader, editor, commenter, outsider, anonymous, organizationId } = await world();

const titlesIn = ({ body }: RestAnswer) => body.items.map(({ title }: { title: string }) => title);

test('lists own organizations by title, ignoring case, on both transports', async () => {
  for (const title of ['Zebra', 'beta', 'Äther', 'Beta']) await reader.post('/v1/orgs', { title });
  const answer = await reader.get('/v1/orgs');
  expect(answer.status).toBe(200);
  expect(answer.body.count).toBe(5);
  const titles = titlesIn(answer);
  expect(titles.map((title: string) => title.toLowerCase())).toEqual(['acme', 'beta', 'beta', 'zebra', 'äther']);
  const { viewer } = await reader.graphql('{ viewer { organizations { totalCount nodes { title } } } }');
  expect(viewer.organizations.totalCount).toBe(5);
  expect(viewer.organizations.nodes.map(({ title }: { title: string }) => title)).toEqual(titles);
});

test('paginates without gaps or repetitions, both ways', async () => {
  const seen: string[] = [];
  let page = '';
  do {
    const answer = await reader.get(`/v1/orgs?limit=2${page && `&page=${page}`}`);
    seen.push(...titlesIn(answer));
    page = answer.body.next?.page ?? '';
  } while (page);
  expect(seen).toEqual(titlesIn(await reader.get('/v1/orgs')));
  const { viewer } = await reader.graphql(`{ viewer { organizations(last: 2) {
    nodes { title } pageInfo { hasPreviousPage hasNextPage startCursor } } } }`);
  expect(viewer.organizations.nodes.map(({ title }: { title: string }) => title)).toEqual(seen.slice(-2));
  expect(viewer.organizations.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
});

test('does not list organizations of others', async () => {
  const { body } = await outsider.get('/v1/orgs');
  expect(body.items.map(({ id }: { id: string }) => id)).not.toContain(organizationId);
  expect((await anonymous.get('/v1/orgs')).status).toBe(401);
  const query = 'query($id: ID!) { user(id: $id) { organizations { totalCount } } }';
  const answer = await admin.graphqlRaw(query, { id: reader.userId });
  expect(answer.body.data.user).toEqual({ organizations: null });
  expect(answer.body.errors[0].extensions.code).toBe('FORBIDDEN');
});

test.each(['limit=-1', 'limit=1001', 'limit=x', 'page=mangled'])('refuses ?%s', async (parameters) => {
  const { status, body } = await reader.get(`/v1/orgs?${parameters}`);
  expect(status).toBe(400);
  expect(body.error.issues[0].path).toEqual([parameters.split('=')[0]]);
});

test('takes as many statements for 1 as for 20', async () => {
  for (let count = 0; count < 19; count++) await commenter.post('/v1/orgs', { title: `Organization ${count}` });
  const query =
    '{ viewer { organizations { totalCount nodes { title permissions { admin } mergeRules { rules { rule } } } } } }';
  const counts = [];
  for (const caller of [editor, commenter]) {
    const answer = await caller.graphqlRaw(query);
    const rest = await caller.get('/v1/orgs');
    counts.push([statementsOf(answer), statementsOf(rest)]);
    expect(rest.body.count).toBe(caller === editor ? 1 : 20);
  }
  expect(counts[1]).toEqual(counts[0]);
});

test('a hundred ids are read together', async () => {
  const { body } = await commenter.get('/v1/orgs');
  const ids = body.items.map(({ id }: { id: string }) => id);
  const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { ... on Organization { title permissions { view } } } }';
  const answer = await commenter.graphqlRaw(query, { ids });
  expect(answer.body.data.nodes).toHaveLength(20);
  expect(statementsOf(answer)).toBe(2);
});
