import { beforeEach, expect, test } from 'vitest';
import { siteWith, spaceTitled } from '../../publishing/arrange.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';

const { app, admin, organizationId } = await world();
const newSpace = (title: string) => spaceTitled(admin, organizationId, title);
const [guides, api, help] = [await newSpace('Guides'), await newSpace('API'), await newSpace('Help')];

let site: { id: string; path: string };
beforeEach(async () => {
  site = await siteWith(admin, organizationId, { title: 'Docs', spaces: [guides, api] });
});

interface Change {
  setting: string;
  from?: string;
  to?: string;
}

/** The changed settings of the latest event of a kind, by name. */
async function changes(type: string): Promise<Change[]> {
  await settled(app.services.db);
  const { body } = await admin.get(`/v1/orgs/${organizationId}/audit-events?limit=1&type=${type}`);
  return body.items[0].changes.toSorted((one: Change, other: Change) => (one.setting < other.setting ? -1 : 1));
}

async function changesAfter(
  type: string,
  [method, path, body]: ['post' | 'patch' | 'put', string, object],
): Promise<Change[]> {
  const answer = await admin[method](path.startsWith('/') ? path : `${site.path}/${path}`, body as never);
  expect([path, answer.status, answer.body?.error]).toEqual([path, answer.status, undefined]);
  return changes(type);
}

const afterStructure = (...request: ['post' | 'patch', string, object]) =>
  changesAfter('site_structure_updated', request);

test('the audit tells the settings of spaces of a site that changed', async () => {
  const [, second] = (await admin.get(`${site.path}/site-spaces`)).body.items;
  expect(await afterStructure('patch', `site-spaces/${second.id}`, { path: 'v1', spaceId: help })).toEqual([
    { setting: 'path', from: 'api', to: 'v1' },
    { setting: 'spaceId', from: api, to: help },
  ]);
  expect(await afterStructure('post', 'site-spaces', { spaceId: api })).toEqual([{ setting: 'spaceId', to: api }]);
  await admin.mutate('moveSiteSpace', { siteSpaceId: second.id, position: null }, 'siteSpace { id }');
  expect(await changes('site_structure_updated')).toEqual([{ setting: 'position', from: '2', to: '3' }]);
});

test('the audit tells the settings of sections, groups and links that changed', async () => {
  const section = (await admin.post(`${site.path}/sections`, { spaceId: help, title: 'Help' })).body;
  expect(await changes('site_structure_updated')).toEqual([
    { setting: 'spaceId', to: help },
    { setting: 'title', to: 'Help' },
  ]);
  expect(await afterStructure('patch', `sections/${section.id}`, { title: 'Support', icon: 'book' })).toEqual([
    { setting: 'icon', to: 'book' },
    { setting: 'title', from: 'Help', to: 'Support' },
  ]);
  const { siteSpace } = await admin.mutate(
    'addSiteSpace',
    { siteId: site.id, spaceId: api, sectionId: section.id },
    'siteSpace { id }',
  );
  const [first] = section.siteSpaces;
  const input = { siteSectionId: section.id, defaultSiteSpaceId: siteSpace.id };
  await admin.mutate('updateSiteSection', input, 'siteSection { id }');
  expect(await changes('site_structure_updated')).toEqual([
    { setting: 'defaultSiteSpaceId', from: first.id, to: siteSpace.id },
  ]);
  const inSite = { siteId: site.id };
  const { siteSectionGroup: group } = await admin.mutate(
    'addSiteSectionGroup',
    { ...inSite, title: 'More', sectionIds: [section.id] },
    'siteSectionGroup { id }',
  );
  expect(await changes('site_structure_updated')).toEqual([
    { setting: 'siteSectionIds', to: JSON.stringify([section.id]) },
    { setting: 'title', to: 'More' },
  ]);
  const inGroup = { siteSectionGroupId: group.id };
  await admin.mutate('updateSiteSectionGroup', { ...inGroup, title: 'Others' }, 'siteSectionGroup { id }');
  expect(await changes('site_structure_updated')).toEqual([{ setting: 'title', from: 'More', to: 'Others' }]);
  await admin.mutate('removeSectionFromGroup', { ...inGroup, siteSectionId: section.id }, 'deletedId');
  expect(await changes('site_structure_updated')).toEqual([{ setting: 'groupId', from: group.id }]);
  await admin.mutate('addSectionToGroup', { ...inGroup, sectionId: section.id }, 'siteSectionGroup { id }');
  expect(await changes('site_structure_updated')).toEqual([{ setting: 'groupId', to: group.id }]);
  const { siteExternalLink: link } = await admin.mutate(
    'addSiteExternalLink',
    { ...inSite, title: 'Chat', url: 'https://chat.example/rooms?key=hidden' },
    'siteExternalLink { id }',
  );
  expect(await changes('site_structure_updated')).toContainEqual({ setting: 'url', to: 'https://chat.example' });
  const moved = { siteExternalLinkId: link.id, title: 'Rooms', parentId: group.id };
  await admin.mutate('updateSiteExternalLink', moved, 'siteExternalLink { id }');
  expect(await changes('site_structure_updated')).toEqual([
    { setting: 'groupId', to: group.id },
    { setting: 'title', from: 'Chat', to: 'Rooms' },
  ]);
});

test('the audit tells the default of a site before and after', async () => {
  const [first, second] = (await admin.get(`${site.path}/site-spaces`)).body.items;
  const answer = await changesAfter('site_updated', ['patch', site.path, { defaultSiteSpace: second.id }]);
  expect(answer).toEqual([{ setting: 'defaultSiteSpaceId', from: first.id, to: second.id }]);
});

test('the audit tells the members of a customization that changed', async () => {
  await changesAfter('site_customization_updated', ['put', 'customization', { styling: { theme: 'clean' } }]);
  const customization = { styling: { theme: 'bold' }, privacyPolicy: { url: 'https://acme.example/privacy' } };
  expect(await changesAfter('site_customization_updated', ['put', 'customization', customization])).toEqual([
    { setting: 'privacyPolicy.url', to: 'https://acme.example' },
    { setting: 'styling.theme', from: 'clean', to: 'bold' },
  ]);
  const [{ id: siteSpaceId }] = (await admin.get(`${site.path}/site-spaces`)).body.items;
  const override = { siteSpaceId, customization: { styling: { theme: 'muted' } } };
  await admin.mutate('overrideSiteSpaceCustomization', override, 'siteSpace { id }');
  expect(await changes('site_customization_updated')).toEqual([{ setting: 'styling.theme', to: 'muted' }]);
  await admin.mutate('resetSiteSpaceCustomization', { siteSpaceId }, 'siteSpace { id }');
  expect(await changes('site_customization_updated')).toEqual([{ setting: 'styling.theme', from: 'muted' }]);
});

test('the audit tells redirects before and after, and of many their number', async () => {
  const destination = { kind: 'external', url: 'https://acme.example/a?token=hidden' };
  const { body: redirect } = await admin.post(`${site.path}/redirects`, { source: '/a', destination });
  expect(await changes('site_redirects_updated')).toEqual(
    expect.arrayContaining([
      { setting: 'source', to: '/a' },
      { setting: 'destination', to: 'https://acme.example' },
    ]),
  );
  const path = `redirects/${redirect.id}`;
  expect(await changesAfter('site_redirects_updated', ['patch', path, { source: '/b', permanent: true }])).toEqual([
    { setting: 'isPermanent', from: 'false', to: 'true' },
    { setting: 'source', from: '/a', to: '/b' },
  ]);
  const url = 'https://acme.example/';
  const redirects = [
    { source: '/b', destination: { url } },
    { source: '/c', destination: { url } },
    { source: '/d', destination: { url } },
  ];
  await admin.mutate('upsertSiteRedirects', { siteId: site.id, redirects }, 'site { id }');
  expect(await changes('site_redirects_updated')).toEqual([
    { setting: 'created', to: '2' },
    { setting: 'updated', to: '1' },
  ]);
  const { siteRedirect } = (
    await admin.graphql(`{ site(id: "${site.id}") { siteRedirect: redirect(source: "/c") { redirect { id } } } }`)
  ).site;
  await admin.mutate('deleteSiteRedirect', { siteRedirectId: siteRedirect.redirect.id }, 'deletedId');
  expect(await changes('site_redirects_updated')).toContainEqual({ setting: 'source', from: '/c' });
});

test('the audit tells visibility and source of an OpenAPI specification', async () => {
  const all = `/v1/orgs/${organizationId}/openapi`;
  const source = { url: 'https://api.example/openapi.json?key=hidden' };
  const created = await changesAfter('openapi_spec_created', ['post', all, { slug: 'pets', source }]);
  expect(created).toEqual([
    { setting: 'slug', to: 'pets' },
    { setting: 'sourceUrl', to: 'https://api.example' },
  ]);
  expect(await changesAfter('openapi_spec_updated', ['patch', `${all}/pets`, { visibility: 'public' }])).toEqual([
    { setting: 'visibility', from: 'private', to: 'public' },
  ]);
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {} });
  expect(await changesAfter('openapi_spec_updated', ['put', `${all}/pets`, { source: { text } }])).toEqual([
    { setting: 'sourceText', to: text },
    { setting: 'sourceUrl', from: 'https://api.example' },
  ]);
});
