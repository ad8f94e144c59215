import { beforeAll, expect, test } from 'vitest';
import { world } from '../world.ts';
import { siteWith, spaceTitled } from './arrange.ts';

const { creator, reader, guest, outsider, anonymous, organizationId } = await world();
const ids: Record<string, string> = {};
const siteSpaces: Record<string, string> = {};
let site: Awaited<ReturnType<typeof siteWith>>;

/** Each space has a page about quokkas. */
beforeAll(async () => {
  for (const title of ['Guides', 'Classic', 'API', 'Beta', 'Elsewhere']) {
    const id = await spaceTitled(creator, organizationId, title);
    const page = {
      operation: 'insert_page',
      title: `${title} page`,
      document: { markdown: '## Quokkas\n\nThey smile.' },
    };
    expect((await creator.post(`/v1/spaces/${id}/content`, { changes: [page] })).status).toBe(200);
    ids[title] = id;
  }
  site = await siteWith(creator, organizationId, { title: 'Docs' });
  const add = async (path: string, body: unknown) => (await creator.post(`${site.path}/${path}`, body)).body;
  const guides = await add('sections', { spaceId: ids.Guides, title: 'Guides' });
  const api = await add('sections', { spaceId: ids.API, title: 'API' });
  await add('site-spaces', { spaceId: ids.Classic, sectionId: guides.id });
  await add('site-spaces', { spaceId: ids.Beta, sectionId: api.id });
  for (const { id, space } of (await creator.get(`${site.path}/site-spaces`)).body.items) siteSpaces[space.title] = id;
  await creator.post(`${site.path}/publish`);
});

const search = (body: unknown, client = anonymous, query = '') =>
  client.restAs('searchSiteContent', 'POST', `${site.path}/search${query}`, body, { beyond: true });
const foundBy = async (scope: Record<string, unknown>, client = anonymous) => {
  const { body } = await search({ query: 'quokka', ...scope }, client);
  return body.items.map(({ title }: { title: string }) => title).sort();
};

test('finds pages of all spaces of the site with their sections, and of no other', async () => {
  const { body } = await search({ query: 'quokka', mode: 'all' });
  expect(body.items.map(({ id }: { id: string }) => id).sort()).toEqual(
    ['Guides', 'Classic', 'API', 'Beta'].map((title) => ids[title]).sort(),
  );
  expect(body.items[0]).toMatchObject({
    type: 'space',
    pages: [
      {
        ancestors: [],
        sections: [{ title: 'Quokkas', path: expect.stringContaining('#quokkas'), body: expect.any(String) }],
      },
    ],
  });
  const first = (await search({ query: 'quokka' }, anonymous, '?limit=3')).body;
  const second = (await search({ query: 'quokka' }, anonymous, `?limit=3&page=${first.next.page}`)).body;
  expect([first.items.length, second.items.length, second.next]).toEqual([3, 1, undefined]);
});

test('searches in the scopes of both ages of clients', async () => {
  const current = siteSpaces.Classic;
  expect(await foundBy({ mode: 'current', siteSpaceId: current })).toEqual(['Classic']);
  expect(await foundBy({ mode: 'specific', siteSpaceIds: [siteSpaces.Beta, current] })).toEqual(['Beta', 'Classic']);
  expect(await foundBy({ siteSpaceIds: [siteSpaces.Beta] })).toEqual(['Beta']);
  expect(await foundBy({ scope: { mode: 'all' } })).toEqual(['API', 'Beta', 'Classic', 'Guides']);
  expect(await foundBy({ scope: { mode: 'specific', siteSpaceIds: [current] } })).toEqual(['Classic']);
  expect(await foundBy({ scope: { mode: 'default' } })).toEqual(['API', 'Guides']);
  expect(await foundBy({ scope: { mode: 'default', currentSiteSpace: current } })).toEqual(['API', 'Classic']);
  const restricted = (restrictTo: string) =>
    foundBy({ scope: { mode: 'default', currentSiteSpace: current, restrictTo } });
  expect(await restricted('currentSiteSpace')).toEqual(['Classic']);
  expect(await restricted('otherSiteSpaces')).toEqual(['API']);
});

test('the graph searches in the same scopes', async () => {
  const data = await anonymous.graphql(
    `query ($id: ID!, $current: ID!) { site(id: $id) { search(query: "quokka", first: 5,
      scope: { mode: DEFAULT, currentSiteSpace: $current, restrictTo: CURRENT_SITE_SPACE }) { nodes { title pages { title } } } } }`,
    { id: site.id, current: siteSpaces.Beta },
  );
  expect(data.site.search.nodes).toEqual([{ title: 'Beta', pages: [{ title: 'Beta page' }] }]);
});

test.each([
  ['scope.mode', { scope: { mode: 'some' } }],
  ['scope.siteSpaceIds', { scope: { mode: 'specific' } }],
  ['scope.siteSpaceIds', { scope: { mode: 'specific', siteSpaceIds: [] } }],
  ['scope.siteSpaceIds.0', { scope: { mode: 'specific', siteSpaceIds: ['sitespace_none'] } }],
  ['scope.restrictTo', { scope: { mode: 'default', restrictTo: 'otherSiteSpaces' } }],
  ['scope.currentSiteSpace', { mode: 'current' }],
  ['query', { query: 'x'.repeat(513) }],
])('refuses a wrong %s', async (path, body) => {
  const answer = await search({ query: 'quokka', ...body });
  expect([answer.status, answer.body.error.issues?.[0].path.join('.')]).toEqual([400, path]);
});

test('searches what the caller can see of the site', async () => {
  const secret = await spaceTitled(creator, organizationId, 'Secret');
  await creator.patch(`/v1/spaces/${secret}`, { defaultLevel: null });
  const internal = await siteWith(creator, organizationId, { title: 'Internal', spaces: [ids.Elsewhere, secret] });
  const at = `${internal.path}/search`;
  expect((await anonymous.post(at, { query: 'quokka' })).status).toBe(401);
  for (const client of [guest, outsider]) expect((await client.post(at, { query: 'quokka' })).status).toBe(404);
  expect((await reader.post(at, { query: 'quokka' })).body.items).toMatchObject([{ title: 'Elsewhere' }]);
  expect((await anonymous.get(`${site.path}/integration-scripts`)).body).toEqual([]);
  expect((await outsider.get(`${internal.path}/integration-scripts`)).status).toBe(404);
});
