import { expect, test } from 'vitest';
import { world } from '../../world.ts';

const { admin, reader, outsider, anonymous, advance } = await world();

for (const label of ['One', 'Two', 'Three']) {
  advance(1_000);
  await reader.post('/v1/user/tokens', { label });
}

test('lists own tokens newest first, without a secret, on both transports', async () => {
  const { viewer } = await reader.graphql('{ viewer { apiTokens { totalCount nodes { id label lastUsedAt } } } }');
  expect(viewer.apiTokens.totalCount).toBe(4);
  expect(viewer.apiTokens.nodes.map(({ label }: { label: string }) => label)).toEqual(['Three', 'Two', 'One', 'test']);
  expect(viewer.apiTokens.nodes.at(-1).lastUsedAt).toMatch(/Z$/);

  const { status, body } = await reader.get('/v1/user/tokens');
  expect(status).toBe(200);
  expect(body.count).toBe(4);
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual(
    viewer.apiTokens.nodes.map(({ id }: { id: string }) => id),
  );
  expect(Object.keys(body.items[0]).sort()).toEqual(['createdAt', 'id', 'label', 'object']);
});

test('pages forwards and backwards', async () => {
  const { body: first } = await reader.get('/v1/user/tokens?limit=3');
  const { body: second } = await reader.get(`/v1/user/tokens?limit=3&page=${first.next.page}`);
  expect(second.items.map(({ label }: { label: string }) => label)).toEqual(['test']);
  expect(second.next).toBeUndefined();
  const { viewer } = await reader.graphql('{ viewer { apiTokens(last: 2) { nodes { label } } } }');
  expect(viewer.apiTokens.nodes).toEqual([{ label: 'One' }, { label: 'test' }]);
});

test('does not list tokens of others', async () => {
  const query = 'query($id: ID!) { user(id: $id) { displayName apiTokens { totalCount } } }';
  const { body } = await admin.graphqlRaw(query, { id: reader.userId });
  expect(body.data.user).toEqual({ displayName: 'Reader', apiTokens: null });
  expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
  expect((await anonymous.get('/v1/user/tokens')).status).toBe(401);
});

test('node finds own tokens only', async () => {
  const { body } = await reader.get('/v1/user/tokens?limit=1');
  const [{ id }] = body.items;
  const query = 'query($id: ID!) { node(id: $id) { __typename id ... on ApiToken { label } } }';
  expect(await reader.graphql(query, { id })).toEqual({ node: { __typename: 'ApiToken', id, label: 'Three' } });
  expect(await outsider.graphql(query, { id })).toEqual({ node: null });
  await expect(anonymous.graphql(query, { id })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
