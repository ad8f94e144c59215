import { expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { world } from '../world.ts';
import { publishedSite, spaceWith } from './reader-world.ts';
import { visitorOf } from './visiting.ts';

const { app, url, admin, guest, outsider, anonymous, organizationId } = await world();
const settings = { emailDomains: ['globex.example'] };
expect((await admin.patch(`/v1/orgs/${organizationId}`, settings)).status).toBe(200);

const pages = (markdown: string) => [{ title: 'Lighthouse', document: { markdown } }];
const listed = await spaceWith(admin, organizationId, 'Listed', pages('Of all.'));
const unlisted = await spaceWith(admin, organizationId, 'Unlisted', pages('Of few.'));
const { spaceId } = unlisted;
await publishedSite(admin, organizationId, { title: 'Public', spaces: [listed.spaceId] });
const site = await publishedSite(admin, organizationId, {
  title: 'Unlisted',
  visibility: 'unlisted',
  spaces: [spaceId],
});

const byId = `organization(id: "${organizationId}")`;
const byDomain = 'organizationsByEmailDomain(domain: "globex.example")';

/** The spaces that lists and searches of the organization show, with how many they count. */
async function shownTo(client: Client, root: string) {
  const query = `{ found: ${root} { spaces { totalCount nodes { id } } search(query: "lighthouse") { nodes { space { id } } } } }`;
  const [organization] = [(await client.graphql(query)).found].flat();
  const ids = (nodes: { id: string }[]) => nodes.map(({ id }) => id).sort();
  return {
    spaces: ids(organization.spaces.nodes),
    count: organization.spaces.totalCount,
    found: ids(organization.search.nodes.map(({ space }: { space: { id: string } }) => space)),
  };
}

test.each([
  ['guests', guest, byId],
  ['people who can join', outsider, byDomain],
] as const)('%s read the spaces of an unlisted site by id, and find them in no list', async (_who, client, root) => {
  expect((await client.get(`/v1/spaces/${spaceId}`)).status).toBe(200);
  expect((await client.get(`/v1/spaces/${spaceId}/search?query=lighthouse`)).body.items).toHaveLength(1);
  expect(await shownTo(client, root)).toEqual({ spaces: [listed.spaceId], count: 1, found: [listed.spaceId] });
});

test('a role on the space shows it in lists', async () => {
  const both = [listed.spaceId, spaceId].sort();
  expect(await shownTo(admin, byId)).toEqual({ spaces: both, count: 2, found: both });
});

test('guests see in REST what they see in the graph', async () => {
  const { body } = await guest.get(`/v1/orgs/${organizationId}/spaces`);
  expect([body.count, body.items.map(({ id }: { id: string }) => id)]).toEqual([1, [listed.spaceId]]);
  const found = await guest.get(`/v1/orgs/${organizationId}/search?query=lighthouse`);
  expect(found.body.items.map(({ id }: { id: string }) => id)).toEqual([listed.spaceId]);
});

test('anybody who names the space reads it, and visitors of the site search it', async () => {
  expect((await anonymous.get(`/v1/spaces/${spaceId}`)).status).toBe(200);
  const visitor = await visitorOf(app, url, site.id);
  expect((await visitor.get(`/v1/spaces/${spaceId}/search?query=lighthouse`)).body.items).toHaveLength(1);
});
