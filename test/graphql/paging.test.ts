import { expect, test } from 'vitest';
import { world } from '../world.ts';

const { creator, outsider, organizationId } = await world();

const TITLES = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
for (const title of TITLES) await creator.mutate('createSpace', { organizationId, title }, 'space { id }');

const SPACES = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  organization(id: $id) {
    spaces(first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { cursor node { title } }
    }
  }
}`;

async function page(args: Record<string, unknown>) {
  const { spaces } = (await creator.graphql(SPACES, { id: organizationId, ...args })).organization;
  return { ...spaces, titles: spaces.edges.map(({ node }: { node: { title: string } }) => node.title) };
}

const apiError = (args: Record<string, unknown>) => expect(page(args)).rejects;

test('pages follow each other forwards, without gaps or repetitions', async () => {
  const titles: string[] = [];
  let after: string | null = null;
  for (let more = true; more; ) {
    const { pageInfo, titles: found, totalCount, edges } = await page({ first: 3, after });
    expect(totalCount).toBe(TITLES.length);
    expect(pageInfo.startCursor).toBe(edges[0].cursor);
    expect(pageInfo.hasPreviousPage).toBe(after !== null);
    titles.push(...found);
    more = pageInfo.hasNextPage;
    after = pageInfo.endCursor;
  }
  expect(titles).toEqual(TITLES.toReversed());
});

test('pages follow each other backwards, each in the order of the list', async () => {
  const pages: string[][] = [];
  let before: string | null = null;
  for (let more = true; more; ) {
    const { pageInfo, titles } = await page({ last: 3, before });
    pages.unshift(titles);
    more = pageInfo.hasPreviousPage;
    before = pageInfo.startCursor;
  }
  expect(pages).toEqual([['G'], ['F', 'E', 'D'], ['C', 'B', 'A']]);
});

test('beyond the last item there is an empty page without cursors', async () => {
  const { pageInfo } = await page({ last: 1 });
  expect(await page({ first: 3, after: pageInfo.endCursor })).toMatchObject({
    titles: [],
    totalCount: TITLES.length,
    pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
  });
});

test('a cursor keeps its position while items are inserted and deleted', async () => {
  const { pageInfo } = await page({ first: 2 });
  const { space } = await creator.mutate('createSpace', { organizationId, title: 'New' }, 'space { id }');
  expect((await page({ first: 2, after: pageInfo.endCursor })).titles).toEqual(['E', 'D']);
  await creator.mutate('deleteSpace', { spaceId: space.id }, 'deletedId');
});

test.each([0, -1, 101, 2_147_483_647])('a page of %i items is refused', async (size) => {
  await apiError({ first: size }).toMatchObject({
    code: 'BAD_USER_INPUT',
    message: `first: must be 1 to 100, not ${size}.`,
  });
  await apiError({ last: size }).toMatchObject({
    code: 'BAD_USER_INPUT',
    message: `last: must be 1 to 100, not ${size}.`,
  });
});

test.each([1.5, '3', 2_147_483_648])('a size that is not an Int is refused: %j', async (first) => {
  await apiError({ first }).toMatchObject({
    code: 'BAD_USER_INPUT',
    message: expect.stringMatching(/Variable "\$first"/),
  });
});

test('both directions at once are refused', async () => {
  const { pageInfo } = await page({ first: 1 });
  for (const args of [
    { first: 1, last: 1 },
    { first: 1, before: pageInfo.endCursor },
    { last: 1, after: pageInfo.endCursor },
  ]) {
    await apiError(args).toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringMatching(/either "first" and "after", or "last" and "before"/),
    });
  }
});

test('cursors of other lists are refused, on both transports', async () => {
  const { pageInfo } = await page({ first: 1 });
  const own = String(pageInfo.endCursor);
  const bytes = Buffer.from(own, 'base64url');
  const tampered = Buffer.from(bytes.map((byte, index) => (index === bytes.length - 3 ? byte ^ 1 : byte)));
  const foreign = await creator.graphql('{ viewer { organizations(first: 1) { edges { cursor } } } }');
  const cursors = {
    tampered: tampered.toString('base64url'),
    shortened: bytes.subarray(0, -1).toString('base64url'),
    lengthened: Buffer.concat([bytes, Buffer.from('x')]).toString('base64url'),
    unsigned: bytes.subarray(9).toString('base64url'),
    foreign: foreign.viewer.organizations.edges[0].cursor,
    madeUp: 'nonsense',
    empty: '',
    hostile: "'; drop table space --",
  };
  for (const [kind, cursor] of Object.entries(cursors)) {
    await apiError({ first: 1, after: cursor }).toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringMatching(/^after: Invalid cursor/),
    });
    await apiError({ last: 1, before: cursor }).toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringMatching(/^before: Invalid cursor/),
    });
    const rest = await creator.get(`/v1/orgs/${organizationId}/spaces?page=${encodeURIComponent(cursor)}`);
    expect([kind, rest.status, rest.body.error?.message]).toEqual([
      kind,
      400,
      expect.stringMatching(/^page: Invalid cursor/),
    ]);
  }
});

test('a cursor does not grant access', async () => {
  const { pageInfo } = await page({ first: 1 });
  const { organization } = await outsider.graphql(SPACES, { id: organizationId, first: 5, after: pageInfo.endCursor });
  expect(organization).toBeNull();
});

test('REST pages hold the same items in the same order', async () => {
  const titles: string[] = [];
  let path = `/v1/orgs/${organizationId}/spaces?limit=3`;
  for (let more = true; more; ) {
    const { body } = await creator.restAs('listSpacesInOrganizationById', 'GET', path);
    titles.push(...body.items.map(({ title }: { title: string }) => title));
    expect(body.count).toBe(TITLES.length);
    more = body.next !== undefined;
    path = `/v1/orgs/${organizationId}/spaces?limit=3&page=${body.next?.page}`;
  }
  expect(titles).toEqual(TITLES.toReversed());
});
