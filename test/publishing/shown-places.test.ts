import { expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { world } from '../world.ts';
import { spaceTitled } from './arrange.ts';
import { publishedSite } from './reader-world.ts';
import { visitorOf } from './visiting.ts';

const here = await world();
const { app, url, admin, reader, guest, outsider, anonymous, organizationId } = here;

const CONDITION = 'visitor.claims.unsigned.isPartner == true';

/** A published site that shows a space only to partners, in a section of its own. */
async function siteForPartners(spaceId: string, title: string) {
  const filler = await spaceTitled(admin, organizationId, 'Filler');
  const site = await publishedSite(admin, organizationId, { title, spaces: [filler] });
  await admin.patch(site.path, { adaptiveContent: { enabled: true } });
  const { body: open } = await admin.post(`${site.path}/sections`, { spaceId: filler, title: 'Open' });
  const { body: partners } = await admin.post(`${site.path}/sections`, { spaceId, title: 'Partners' });
  await admin.patch(`${site.path}/sections/${partners.id}`, { condition: CONDITION, path: 'partners' });
  return { ...site, openId: open.id as string };
}

/** Where a space is published, on both transports. */
async function placeOf(client: Client, spaceId: string) {
  const { body } = await client.get(`/v1/spaces/${spaceId}`);
  const { space } = await client.graphql(`{ space(id: "${spaceId}") { visibility urls { published public } } }`);
  const inRest = { visibility: body.visibility, published: body.urls.published, public: body.urls.public };
  expect({ visibility: space.visibility.toLowerCase(), ...orUndefined(space.urls) }).toEqual({
    ...inRest,
    visibility: inRest.visibility.replace('-', '_'),
  });
  return inRest;
}

const orUndefined = (urls: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(urls).map(([name, value]) => [name, value ?? undefined]));

test('of two places on a site, readers are told the one that has no condition', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Twice');
  const site = await siteForPartners(spaceId, 'Twice');
  await admin.post(`${site.path}/site-spaces`, { spaceId, sectionId: site.openId });
  expect((await placeOf(reader, spaceId)).published).toMatch(/\/partners\/$/);
  const visitor = await visitorOf(app, url, site.id);
  for (const client of [anonymous, outsider, visitor]) {
    const place = await placeOf(client, spaceId);
    expect(place.published).toMatch(/\/twice\/$/);
    expect(place).toMatchObject({ visibility: 'public', public: place.published });
  }
  const partner = await visitorOf(app, url, site.id, { unsignedClaims: { isPartner: true } });
  expect((await placeOf(partner, spaceId)).published).toMatch(/\/partners\/$/);
});

test('a site that shows the space to others only does not count for readers of another site', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Elsewhere');
  await siteForPartners(spaceId, 'Hidden');
  await publishedSite(admin, organizationId, { title: 'Unlisted', visibility: 'unlisted', spaces: [spaceId] });
  expect(await placeOf(reader, spaceId)).toMatchObject({ visibility: 'public' });
  for (const client of [anonymous, outsider]) {
    const place = await placeOf(client, spaceId);
    expect(place).toMatchObject({ visibility: 'unlisted', public: undefined });
    expect(place.published).not.toContain('partners');
  }
});

test.each([
  ['members', reader],
  ['guests', guest],
] as const)('%s filter spaces by the visibility that they are shown', async (_who, client) => {
  const { body: all } = await client.get(`/v1/orgs/${organizationId}/spaces?limit=100`);
  const shown = (visibility: string) =>
    all.items.filter((space: { visibility: string }) => space.visibility === visibility);
  for (const visibility of ['public', 'unlisted', 'share-link', 'in-collection', 'private']) {
    const { body } = await client.get(`/v1/orgs/${organizationId}/spaces?limit=100&visibility=${visibility}`);
    expect(body.items.map(idOf)).toEqual(shown(visibility).map(idOf));
  }
  expect(shown('public').length).toBeGreaterThan(0);
});

const idOf = ({ id }: { id: string }) => id;

test('visitors are told of the site that they visit, and of no other', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Shared');
  const shared = await publishedSite(admin, organizationId, {
    title: 'Shared',
    visibility: 'share-link',
    spaces: [spaceId],
  });
  await publishedSite(admin, organizationId, { title: 'Everywhere', visibility: 'unlisted', spaces: [spaceId] });
  const { body: link } = await admin.post(`${shared.path}/share-links`, { name: 'Partners' });
  const shareKey = link.urls.published.split('/').at(-2);
  const visitor = await visitorOf(app, url, shared.id, { shareKey });
  expect(await placeOf(visitor, spaceId)).toEqual({
    visibility: 'share-link',
    published: link.urls.published,
    public: undefined,
  });
});
