import { expect, test } from 'vitest';
import { world } from '../world.ts';

const { admin, reader, anonymous, organizationId } = await world();
const { id: spaceId } = (await admin.mutate('createSpace', { organizationId, title: 'Docs' }, 'space { id }')).space;

const hint = ' Did you mean ';
const MEGABYTE = 1_000_000;

test.each([
  ['no token', anonymous, 50_000],
  ['a token', admin, MEGABYTE],
])('an error answers 500 characters of a value of any length, with %s', async (_, client, length) => {
  const query = 'query Q($id: ID!, $is: Boolean!) { node(id: $id) { id @include(if: $is) } }';
  const answer = await client.graphqlRaw(query, { id: 'x', is: hint.repeat(length / hint.length) });
  expect(answer.body.errors).toHaveLength(1);
  const [{ message }] = answer.body.errors;
  expect(message).toMatch(/^Variable "\$is" got an invalid value/);
  expect(message.length).toBeLessThanOrEqual(500);
});

test('cut messages contain no suggestions for callers without a token', async () => {
  const mutation = 'mutation M($input: CreateSpaceInput!) { createSpace(input: $input) { space { id } } }';
  const messageTo = async (client: typeof admin, length: number) => {
    const input = { emojj: 'x'.repeat(length) };
    return JSON.stringify((await client.graphqlRaw(mutation, { input })).body.errors).replaceAll('\\', '');
  };
  for (let length = 1; length < 500; length += 9) {
    expect(await messageTo(anonymous, length)).not.toMatch(/Did you mean|"emoji/);
  }
  expect(await messageTo(admin, 1)).toContain('Did you mean "emoji"');
});

test('issues of a REST body have cut names and messages too', async () => {
  const name = 'x'.repeat(MEGABYTE);
  const { status, body } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'A', [name]: 1 });
  expect([200, 201, 400]).toContain(status);
  expect(JSON.stringify(body).length).toBeLessThan(20_000);
  const wrong = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: name });
  expect(wrong.status).toBe(400);
  expect(wrong.body.error.message.length).toBeLessThanOrEqual(500);
});

const PAGE = `query Page($id: ID!, $path: String!) { space(id: $id) { revision { page(path: $path) { title } } } }`;

test('the path of a page has a bounded length, on both transports', async () => {
  const changes = [{ insertPage: { title: 'One', document: { markdown: 'Words.' } } }];
  await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  const { space } = await reader.graphql(PAGE, { id: spaceId, path: `${'/'.repeat(4_000)}one${'/'.repeat(4_000)}` });
  expect(space.revision.page).toEqual({ title: 'One' });
  const { space: other } = await reader.graphql(PAGE, { id: spaceId, path: 'a/'.repeat(4_000) });
  expect(other.revision.page).toBeNull();
  const { body } = await reader.graphqlRaw(PAGE, { id: spaceId, path: '/'.repeat(200_000) });
  expect(body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['path'] }] } }]);
  const rest = await reader.get(`/v1/spaces/${spaceId}/content/path/${encodeURIComponent('/'.repeat(9_000))}`);
  expect([400, 404, 431]).toContain(rest.status);
});
