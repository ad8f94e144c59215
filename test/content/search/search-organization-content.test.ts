import { expect, test } from 'vitest';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { spaceWith } from './arrange.ts';

const { app, admin, creator, reader, guest, outsider, anonymous, organizationId, otherOrganizationId, grant } =
  await world();

const open = await spaceWith(
  creator,
  organizationId,
  [
    { title: 'Start', markdown: 'Words about lighthouses.\n\n## Lighthouse keepers\n\nThey keep it.' },
    { title: 'Lighthouse', description: 'A tower.' },
  ],
  { title: 'Coast' },
);
const closed = await spaceWith(creator, organizationId, [{ title: 'Lighthouse plans', markdown: 'Secretword.' }], {
  title: 'Plans',
});
await grant(closed.spaceId, reader.userId, 'none');
await spaceWith(outsider, otherOrganizationId, [{ title: 'Lighthouse of others', markdown: 'Secretword.' }]);

// biome-ignore lint/suspicious/noExplicitAny: as it came.
async function found(client: typeof admin, query: string): Promise<any[]> {
  const path = `/v1/orgs/${organizationId}/search?query=${encodeURIComponent(query)}`;
  const { body } = await client.restAs('searchOrganizationContent', 'GET', path);
  expect(body.count).toBeUndefined();
  return body.items;
}

const outline = (items: { title: string; pages: { title: string }[] }[]) =>
  items.map(({ title, pages }) => [title, ...pages.map((page) => page.title)]);

test('spaces are found by their best page, with their pages and sections', async () => {
  const items = await found(creator, 'lighthouse');
  expect(outline(items)).toEqual([
    ['Coast', 'Lighthouse', 'Start'],
    ['Plans', 'Lighthouse plans'],
  ]);
  expect(items[0]).toMatchObject({
    type: 'space',
    id: open.spaceId,
    pages: [
      { path: 'lighthouse', description: 'A tower.', resultType: 'page', rank: 1 },
      { path: 'start', resultType: 'section', sections: [{ path: 'start#lighthouse-keepers' }, { path: 'start' }] },
    ],
  });
});

test('results have ids in the graph that are unique over searches, spaces, pages and sections', async () => {
  const results = async (query: string) => {
    const { organization, space } = await admin.graphql(
      `query ($id: ID!, $space: ID!, $query: String!) {
        organization(id: $id) { search(query: $query, first: 10) { nodes { id pages { id sections { id } } } } }
        space(id: $space) { search(query: $query, first: 10) { nodes { id sections { id } } } } }`,
      { id: organizationId, space: open.spaceId, query },
    );
    return JSON.stringify([organization, space]).match(/result_[^"]+/g) ?? [];
  };
  const all = [...(await results('lighthouse')), ...(await results('lighthouses'))];
  expect(all.length).toBeGreaterThan(10);
  expect(new Set(all).size).toBe(all.length);
  expect(await results('lighthouse')).toEqual(await results('lighthouse'));
});

test('spaces are found by their own titles, also without a matching page', async () => {
  const { spaceId } = await spaceWith(creator, organizationId, [{ title: 'Welcome', markdown: 'Hello.' }], {
    title: 'Überblick for Partners',
  });
  for (const query of ['uberblick', 'überblick part', 'PARTNERS überblick']) {
    expect([query, outline(await found(reader, query))]).toEqual([query, [['Überblick for Partners']]]);
  }
  expect(await found(reader, 'blick')).toEqual([]);
  expect(await found(reader, 'part überblick')).toEqual([]);
  await spaceWith(creator, organizationId, [{ title: 'Partners' }], { title: 'Directory' });
  // A whole title of a page is a better match than a part of the title of a space.
  expect(outline(await found(reader, 'partners'))).toEqual([['Directory', 'Partners'], ['Überblick for Partners']]);
  await grant(spaceId, reader.userId, 'none');
  expect(outline(await found(reader, 'partners'))).toEqual([['Directory', 'Partners']]);
  await creator.delete(`/v1/spaces/${spaceId}`);
  expect(outline(await found(creator, 'partners'))).toEqual([['Directory', 'Partners']]);
});

test('results refer to the space and the pages that they are about', async () => {
  const query = `query { organization(id: "${organizationId}") { search(query: "lighthouse") { nodes {
    title space { id title } pages { title path space { id } page { pageId title path } sections { anchor page { pageId } } }
  } } } }`;
  const { organization } = await reader.graphql(query);
  const [{ space, pages }] = organization.search.nodes;
  expect(space).toEqual({ id: open.spaceId, title: 'Coast' });
  for (const { title, path, page, sections, ...result } of pages) {
    expect(result.space).toEqual({ id: open.spaceId });
    expect(page).toEqual({ pageId: page.pageId, title, path });
    for (const section of sections) expect(section.page).toEqual({ pageId: page.pageId });
  }
  expect(pages.flatMap(({ sections }: { sections: { anchor: string | null }[] }) => sections)).toContainEqual(
    expect.objectContaining({ anchor: 'lighthouse-keepers' }),
  );
});

test('the pages of all results are read together', async () => {
  const statements = async (first: number) =>
    statementsOf(
      await creator.graphqlRaw(`query { organization(id: "${organizationId}") { search(query: "lighthouse", first: ${first}) {
        nodes { space { id } pages { page { id } sections { page { id } } } } } } }`),
    );
  expect(await statements(2)).toBeLessThanOrEqual((await statements(1)) + 1);
});

test('results, counts and suggestions never include hidden spaces', async () => {
  expect(outline(await found(reader, 'lighthouse'))).toEqual([['Coast', 'Lighthouse', 'Start']]);
  for (const query of ['secretword', 'secretwrod', 'secretwo']) {
    const { organization } = await reader.graphql(
      `{ organization(id: "${organizationId}") { search(query: "${query}") { totalCount nodes { title } pageInfo { hasNextPage } } } }`,
    );
    expect(organization.search).toEqual({ totalCount: 0, nodes: [], pageInfo: { hasNextPage: false } });
    expect(outline(await found(creator, query))).toEqual([['Plans', 'Lighthouse plans']]);
  }
});

test('a guest finds content of granted spaces', async () => {
  expect(await found(guest, 'lighthouse')).toEqual([]);
  await grant(closed.spaceId, guest.userId, 'read');
  expect(outline(await found(guest, 'lighthouse'))).toEqual([['Plans', 'Lighthouse plans']]);
});

test('outsiders find nothing', async () => {
  const path = `/v1/orgs/${organizationId}/search?query=lighthouse`;
  expect((await outsider.get(path)).status).toBe(404);
  expect((await anonymous.get(path)).status).toBe(401);
});

test('results are paginated across spaces', async () => {
  const path = `/v1/orgs/${organizationId}/search?query=lighthouse&limit=1`;
  const { body } = await creator.get(path);
  expect(outline(body.items)).toEqual([['Coast', 'Lighthouse', 'Start']]);
  const next = await creator.get(`${path}&page=${body.next.page}`);
  expect(outline(next.body.items)).toEqual([['Plans', 'Lighthouse plans']]);
  expect(next.body.next).toBeUndefined();
});

test("pages excluded from a site's search are excluded for its visitors only", async () => {
  const { spaceId } = await spaceWith(creator, organizationId, [
    { title: 'Harbour', markdown: 'Boats.' },
    { title: 'Harbour drafts', markdown: 'Boats.', noIndex: true },
    { title: 'Harbour by the way', markdown: 'Boats.', hidden: true },
  ]);
  const { db } = app.services;
  const site = { id: 'site_harbour', organizationId, title: 'Site', visibility: 'public' as const };
  await db
    .insertInto('site')
    .values({ ...site, isPublished: true })
    .execute();
  const link = { id: 'sitespace_harbour', siteId: site.id, spaceId, path: 'harbour', rank: 'a' };
  await db
    .insertInto('site_space')
    .values({ ...link, organizationId })
    .execute();
  const search = async (client: typeof admin) =>
    (await client.get(`/v1/spaces/${spaceId}/search?query=harbour`)).body.items.map(
      ({ title }: { title: string }) => title,
    );
  expect((await search(creator)).toSorted()).toEqual(['Harbour', 'Harbour by the way', 'Harbour drafts']);
  expect(await search(anonymous)).toEqual(['Harbour', 'Harbour by the way']);
  expect(await search(outsider)).toEqual(['Harbour', 'Harbour by the way']);
});
