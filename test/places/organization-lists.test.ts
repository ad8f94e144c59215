import { expect, test } from 'vitest';
import { statementsOf } from '../client.ts';
import { contentOf } from '../people/access/content.ts';
import { world } from '../world.ts';

const { app, admin, creator, reader, guest, organizationId } = await world();
const { db } = app.services;
const content = contentOf(db, organizationId);

type Table = 'space' | 'collection' | 'site' | 'team';

const TITLES = ['bravo', 'Alpha', 'delta', 'Charlie', 'alpha', '50%'];

/** Sets the title and the times of the item with this number, so that no two orders are the same. */
const name = (table: Table, id: string, index: number) =>
  db
    .updateTable(table)
    .set({
      title: TITLES[index] ?? '',
      createdAt: `2026-01-0${index + 1}T00:00:00.000Z`,
      ...(table !== 'team' && { updatedAt: `2026-02-0${9 - index}T00:00:00.000Z` }),
    })
    .where('id', '=', id)
    .execute();

const spaces: string[] = [];
const collections: string[] = [];
const sites: string[] = [];
for (const [index, title] of TITLES.entries()) {
  const collection = await content.collection(index === 5 ? { role: 'none' } : {});
  const space = await content.space(index === 5 ? { parentId: collection } : {});
  const { site } = await admin.mutate('createSite', { organizationId, title }, 'site { id }');
  const { team } = await admin.mutate('createTeam', { organizationId, title }, 'team { id }');
  await name('space', space, index);
  await name('collection', collection, index);
  await name('site', site.id, index);
  await name('team', team.id, index);
  spaces.push(space);
  collections.push(collection);
  sites.push(site.id);
}

interface List {
  rest: string;
  /** Fields to sort by, and the titles in ascending order. */
  orders: Record<string, string[]>;
}

const BY_TITLE = ['50%', 'Alpha', 'alpha', 'bravo', 'Charlie', 'delta'];
const orders = { TITLE: BY_TITLE, CREATED_AT: TITLES, UPDATED_AT: TITLES.toReversed() };

const LISTS: Record<string, List> = {
  spaces: { rest: 'spaces', orders },
  collections: { rest: 'collections', orders },
  sites: { rest: 'sites', orders },
  teams: { rest: 'teams', orders: { TITLE: BY_TITLE, CREATED_AT: TITLES } },
};

interface Page {
  totalCount: number;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
  nodes: { title: string }[];
}

async function read(list: string, args: string, client = admin): Promise<Page> {
  const data = await client.graphql(
    `{ organization(id: "${organizationId}") { ${list}(${args}) {
      totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { title } } } }`,
  );
  return data.organization[list];
}

const titles = ({ nodes }: { nodes: { title: string }[] }) => nodes.map(({ title }) => title);
const camel = (field: string) => field.toLowerCase().replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());

/** All titles, page by page. */
async function walk(list: string, orderBy: string, isBackward = false): Promise<string[]> {
  const found: string[] = [];
  let cursor = '';
  for (const _title of TITLES) {
    const page = await read(list, `${isBackward ? 'last' : 'first'}: 2 ${cursor} orderBy: ${orderBy}`);
    const part = titles(page);
    if (isBackward) found.unshift(...part);
    else found.push(...part);
    if (!(isBackward ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage)) break;
    cursor = isBackward ? `before: "${page.pageInfo.startCursor}"` : `after: "${page.pageInfo.endCursor}"`;
  }
  return found;
}

const cases = Object.entries(LISTS).flatMap(([list, { rest, orders: all }]) =>
  Object.entries(all).map(([field, expected]) => ({ list, rest, field, expected })),
);

/** Titles that are the same in lower case are in the order of their ids, which was that of their creation. */
const turned = (expected: string[], field: string) =>
  field === 'TITLE' ? ['delta', 'Charlie', 'bravo', 'alpha', 'Alpha', '50%'] : expected.toReversed();

test.each(cases)('$list are sorted by $field in pages, on both transports', async ({ list, rest, field, expected }) => {
  expect(await walk(list, `{ field: ${field}, direction: ASC }`)).toEqual(expected);
  expect(await walk(list, `{ field: ${field}, direction: ASC }`, true)).toEqual(expected);
  expect(await walk(list, `{ field: ${field}, direction: DESC }`)).toEqual(turned(expected, field));
  const path = `/v1/orgs/${organizationId}/${rest}?sort=${camel(field)}`;
  const first = await admin.get(`${path}&order=asc&limit=4`);
  const second = await admin.get(`${path}&order=asc&limit=4&page=${encodeURIComponent(first.body.next.page)}`);
  const items = [...first.body.items, ...second.body.items];
  expect(titles({ nodes: items })).toEqual(expected);
  const descending = await admin.get(path);
  expect(titles({ nodes: descending.body.items })).toEqual(turned(expected, field));
});

test.each(Object.keys(LISTS))('%s are searched by title, ignoring case and without patterns', async (list) => {
  const found = await read(list, 'search: "ALPHA", orderBy: { field: CREATED_AT, direction: ASC }');
  expect(titles(found)).toEqual(['Alpha', 'alpha']);
  expect(found.totalCount).toBe(2);
  expect(titles(await read(list, 'search: "%"'))).toEqual(['50%']);
  expect(titles(await read(list, 'search: "_"'))).toEqual([]);
  expect((await read(list, 'search: ""')).totalCount).toBe(6);
  const { body } = await admin.get(`/v1/orgs/${organizationId}/${list}?search=char`);
  expect([body.count, titles({ nodes: body.items })]).toEqual([1, ['Charlie']]);
});

test.each(['spaces', 'collections'])('a search finds and counts no hidden %s', async (list) => {
  const found = await read(list, 'search: "50"', reader);
  expect([found.totalCount, found.nodes]).toEqual([0, []]);
  expect((await read(list, 'search: "a"', guest)).totalCount).toBe(0);
  expect((await read(list, 'search: "50"', admin)).totalCount).toBe(1);
  expect((await reader.get(`/v1/orgs/${organizationId}/${list}?search=50`)).body).toMatchObject({
    count: 0,
    items: [],
  });
});

test.each(Object.keys(LISTS))('a cursor of %s is good for its order and its search alone', async (list) => {
  const { pageInfo } = await read(list, 'first: 2 orderBy: { field: TITLE, direction: ASC }');
  const after = `after: "${pageInfo.endCursor}"`;
  for (const other of [
    '',
    'orderBy: { field: TITLE, direction: DESC }',
    'search: "a" orderBy: { field: TITLE, direction: ASC }',
  ]) {
    const error = await read(list, `${after} ${other}`).catch((thrown) => thrown);
    expect(error.errors[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      issues: [{ path: ['after'], code: 'INVALID_CURSOR' }],
    });
  }
});

test.each(Object.keys(LISTS))('REST refuses an unknown field or direction of %s where it was sent', async (list) => {
  const path = `/v1/orgs/${organizationId}/${list}`;
  const field = await admin.get(`${path}?sort=size`);
  expect([field.status, field.body.error.issues]).toMatchObject([400, [{ path: ['sort'], code: 'INVALID_VALUE' }]]);
  const direction = await admin.get(`${path}?sort=title&order=up`);
  expect([direction.status, direction.body.error.issues]).toMatchObject([400, [{ path: ['order'] }]]);
  expect((await admin.get(`${path}?search=${'x'.repeat(300)}`)).body.error.issues).toMatchObject([
    { path: ['search'], code: 'TOO_LONG' },
  ]);
});

test('spaces are filtered by their visibility and their edit mode', async () => {
  const [alone, unlisted, open] = spaces;
  for (const [site, space, visibility] of [
    [sites[0], unlisted, 'UNLISTED'],
    [sites[1], open, 'UNLISTED'],
    [sites[2], open, 'PUBLIC'],
  ]) {
    await admin.mutate('updateSite', { siteId: site, visibility }, 'site { id }');
    await admin.mutate('addSiteSpace', { siteId: site, spaceId: space }, 'siteSpace { id }');
    await admin.mutate('publishSite', { siteId: site }, 'site { id }');
  }
  const order = 'orderBy: { field: CREATED_AT, direction: ASC }';
  const all = await admin.graphql(
    `{ organization(id: "${organizationId}") { spaces(${order}) { nodes { title visibility } } } }`,
  );
  const nodes: { title: string; visibility: string }[] = all.organization.spaces.nodes;
  for (const visibility of ['PUBLIC', 'UNLISTED', 'SHARE_LINK', 'VISITOR_AUTH', 'IN_COLLECTION', 'PRIVATE']) {
    const expected = nodes.filter((node) => node.visibility === visibility).map(({ title }) => title);
    expect(titles(await read('spaces', `visibility: [${visibility}] ${order}`))).toEqual(expected);
  }
  expect(titles(await read('spaces', `visibility: [PUBLIC, UNLISTED] ${order}`))).toEqual(['Alpha', 'delta']);
  expect(titles(await read('spaces', `visibility: [PRIVATE, IN_COLLECTION] ${order}`))).toEqual([
    'bravo',
    'Charlie',
    'alpha',
    '50%',
  ]);
  expect((await read('spaces', 'visibility: []')).totalCount).toBe(6);
  const path = `/v1/orgs/${organizationId}/spaces`;
  const { body } = await admin.get(`${path}?visibility=public&visibility=unlisted&sort=title&order=asc`);
  expect(titles({ nodes: body.items })).toEqual(['Alpha', 'delta']);
  await admin.mutate('updateSpace', { spaceId: alone, editMode: 'LOCKED' }, 'space { id }');
  expect(titles(await read('spaces', 'editMode: LOCKED'))).toEqual(['bravo']);
  expect((await admin.get(`${path}?editMode=live`)).body.count).toBe(5);
});

test('sites are filtered by their visibility, and searched by their hostname and basename', async () => {
  await admin.mutate('updateSite', { siteId: sites[3], visibility: 'SHARE_LINK', basename: 'handbook' }, 'site { id }');
  expect(titles(await read('sites', 'visibility: [SHARE_LINK]'))).toEqual(['Charlie']);
  expect(titles(await read('sites', 'search: "HANDB"'))).toEqual(['Charlie']);
  const { body } = await admin.get(`/v1/orgs/${organizationId}/sites?visibility=share-link`);
  expect([body.count, titles({ nodes: body.items })]).toEqual([1, ['Charlie']]);
});

test('collections of the top level are sorted and searched too, and stay in their positions without an order', async () => {
  expect(titles(await read('collections', 'nested: false orderBy: { field: TITLE, direction: ASC }'))).toEqual(
    BY_TITLE,
  );
  expect(titles(await read('collections', 'nested: false search: "alpha"'))).toEqual(['Alpha', 'alpha']);
  expect(titles(await read('collections', 'nested: false'))).toEqual(TITLES);
});

test('members are sorted by name and filtered by whether they are disabled', async () => {
  const ask = async (args: string) => {
    const query = `{ organization(id: "${organizationId}") { members(${args}) { totalCount pageInfo { endCursor } nodes { user { displayName } } } } }`;
    const { members } = (await admin.graphql(query)).organization;
    return { ...members, names: members.nodes.map(({ user }: { user: { displayName: string } }) => user.displayName) };
  };
  const order = 'orderBy: { field: DISPLAY_NAME, direction: ASC }';
  const first = await ask(`first: 4 ${order}`);
  const second = await ask(`first: 4 after: "${first.pageInfo.endCursor}" ${order}`);
  expect([...first.names, ...second.names]).toEqual([
    'Admin',
    'Commenter',
    'Creator',
    'Editor',
    'Guest',
    'Reader',
    'Reviewer',
  ]);
  const { body } = await admin.get(`/v1/orgs/${organizationId}/members?sort=displayName&order=asc&limit=2`);
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual([admin.userId, expect.any(String)]);
  await db.updateTable('membership').set({ isDisabled: true }).where('userId', '=', creator.userId).execute();
  expect(await ask('isDisabled: true')).toMatchObject({ totalCount: 1, names: ['Creator'] });
  expect((await ask('isDisabled: false')).totalCount).toBe(6);
  expect((await admin.get(`/v1/orgs/${organizationId}/members?isDisabled=true`)).body.count).toBe(1);
});

test.each(Object.keys(LISTS))('filters and an order of %s take no further statement', async (list) => {
  const ask = (args: string) =>
    admin.graphqlRaw(`{ organization(id: "${organizationId}") { ${list}${args} { totalCount nodes { id } } } }`);
  await ask('');
  const [plain, chosen] = [
    await ask('(first: 5)'),
    await ask('(first: 5 search: "a" orderBy: { field: TITLE, direction: DESC })'),
  ];
  expect(chosen.body.errors).toBeUndefined();
  expect(statementsOf(chosen)).toBe(statementsOf(plain));
});

test.each(['space', 'collection', 'site'])('pages of %ss by title are read by an index', async (table) => {
  const { rows } = await db.connection().execute(async (connection) => {
    const { sql } = await import('kysely');
    await sql`set enable_seqscan = off`.execute(connection);
    await sql`set enable_sort = off`.execute(connection);
    const plan = sql<Record<string, string>>`explain select id from ${sql.table(table)}
      where organization_id = ${organizationId} order by lower(title), id limit 3`;
    const found = await plan.execute(connection);
    await sql`reset enable_seqscan`.execute(connection);
    await sql`reset enable_sort`.execute(connection);
    return found;
  });
  expect(JSON.stringify(rows)).toContain(`${table}_title_index`);
});
