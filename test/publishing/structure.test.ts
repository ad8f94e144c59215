import { beforeEach, expect, test } from 'vitest';
import { type RestAnswer, statementsOf } from '../client.ts';
import { world } from '../world.ts';
import { outlineOf, siteWith, spaceTitled } from './arrange.ts';
import { enlarge } from './large-site.ts';

const { app, admin, creator, editor, reader, outsider, anonymous, organizationId, grant } = await world();
const newSpace = (title: string) => spaceTitled(creator, organizationId, title);
const [guides, api, help] = [await newSpace('Guides'), await newSpace('API'), await newSpace('Help')];

let site = { id: '', path: '' };
beforeEach(async () => {
  site = await siteWith(creator, organizationId, { title: 'Docs', spaces: [guides, api] });
});

const at = (path: string) => `${site.path}/${path}`;
const structure = async (client = creator) => (await client.get(at('structure'))).body;
const outline = async (client = creator) => outlineOf((await structure(client)).structure);
const add = async (path: string, body: Record<string, unknown>) => (await creator.post(at(path), body)).body;
const addSection = (title: string, more: Record<string, unknown> = {}) =>
  add('sections', { spaceId: help, title, ...more });
/** The path of the `Location` of an answer. */
const pathOf = ({ headers }: RestAnswer) => new URL(headers.get('location') ?? '').pathname;
const sectionsByTitle = async () =>
  Object.fromEntries(
    (await creator.get(at('sections'))).body.items.map((each: { title: string }) => [each.title, each]),
  );

test('a site without sections is a list of spaces; the first section takes them in', async () => {
  expect([(await structure()).type, await outline()]).toEqual(['siteSpaces', ['Guides', 'API']]);
  const answer = await creator.restAs('addSectionToSite', 'POST', at('sections'), { spaceId: help, icon: 'book' });
  expect([answer.status, answer.body.title, answer.body.path, answer.body.default]).toEqual([
    201,
    'Help',
    'help',
    false,
  ]);
  expect((await creator.get(pathOf(answer))).body).toEqual(answer.body);
  expect(await outline()).toEqual([{ Docs: ['Guides', 'API'] }, { Help: ['Help'] }]);
  expect(await sectionsByTitle()).toMatchObject({ Docs: { default: true, path: 'docs' }, Help: { icon: 'book' } });
  const data = await creator.graphql(
    `query ($id: ID!) { site(id: $id) { structure { __typename ... on SiteSectionsStructure { structure {
      ... on SiteSection { title default siteSpaces { title path default section { title } } } } } } } }`,
    { id: site.id },
  );
  const section = { title: 'Docs' };
  expect(data.site.structure).toEqual({
    __typename: 'SiteSectionsStructure',
    structure: [
      {
        title: 'Docs',
        default: true,
        siteSpaces: [
          { title: 'Guides', path: 'guides', default: true, section },
          { title: 'API', path: 'api', default: false, section },
        ],
      },
      {
        title: 'Help',
        default: false,
        siteSpaces: [{ title: 'Help', path: 'help', default: true, section: { title: 'Help' } }],
      },
    ],
  });
});

test('spaces are added to the root, a section or the default section, with unique paths', async () => {
  const answer = await creator.restAs('addSpaceToSite', 'POST', at('site-spaces'), { spaceId: api }, { beyond: true });
  expect([answer.status, answer.body.path, answer.body.default]).toEqual([201, 'api-2', false]);
  expect((await creator.get(pathOf(answer))).body).toEqual(answer.body);
  const { id } = await addSection('More');
  expect((await add('site-spaces', { spaceId: api, sectionId: id })).section).toBe(id);
  await add('site-spaces', { spaceId: help });
  expect(await outline()).toEqual([{ Docs: ['Guides', 'API', 'API', 'Help'] }, { More: ['Help', 'API'] }]);
  for (const sectionId of [site.id, 'nonsense']) {
    const { status } = await creator.post(at('site-spaces'), { spaceId: api, sectionId });
    expect(status).toBe(400);
  }
});

test('new sections and spaces of the default section have different paths, since both are at the root', async () => {
  expect((await addSection('API')).path).toBe('api-2');
  expect((await addSection('Help')).path).toBe('help');
  expect((await add('site-spaces', { spaceId: help })).path).toBe('help-2');
  const { API } = await sectionsByTitle();
  expect((await add('site-spaces', { spaceId: api, sectionId: API.id })).path).toBe('api');
});

test('a section cannot get the path of a space of the default section, nor such a space that of a section', async () => {
  const [more, most] = [await addSection('More'), await addSection('Most')];
  const section = at(`sections/${more.id}`);
  const [, second] = (await creator.get(at('site-spaces'))).body.items;
  const space = at(`site-spaces/${second.id}`);
  const taken = await creator.patch(section, { path: 'api' });
  expect([taken.status, taken.body.error.message]).toEqual([409, expect.stringContaining('a space of its default')]);
  const other = await creator.patch(space, { path: 'more' });
  expect([other.status, other.body.error.message]).toEqual([409, expect.stringContaining('a section at the root')]);
  await expect(
    creator.mutate('updateSiteSpace', { siteSpaceId: second.id, path: 'most' }, 'siteSpace { path }'),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
  // Below a section, the paths of sections are free.
  const [inner] = most.siteSpaces;
  expect((await creator.patch(at(`site-spaces/${inner.id}`), { path: 'more' })).status).toBe(200);
  for (const [path, own] of [
    [section, 'more'],
    [space, 'api'],
  ] as const)
    expect((await creator.patch(path, { path: own })).body.path).toBe(own);
  expect((await creator.patch(space, { path: 'v1' })).status).toBe(200);
  expect((await creator.patch(section, { path: 'api' })).status).toBe(200);
});

test('the default section can have the path of one of its spaces, since its own is no part of their URLs', async () => {
  await addSection('More');
  const { Docs } = await sectionsByTitle();
  const renamed = await creator.patch(at(`sections/${Docs.id}`), { path: 'api' });
  expect([renamed.status, renamed.body.path]).toEqual([200, 'api']);
  expect((await creator.patch(at(`sections/${Docs.id}`), { path: 'more' })).status).toBe(409);
});

test('a section one of whose spaces has the path of another section cannot become the default', async () => {
  const more = await addSection('More');
  const inner = await add('site-spaces', { spaceId: api, sectionId: more.id });
  await creator.patch(at(`sections/${(await addSection('Most')).id}`), { path: 'api-reference' });
  await creator.patch(at(`site-spaces/${inner.id}`), { path: 'api-reference' });
  const refused = await creator.patch(site.path, { defaultSiteSection: more.id });
  expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('"api-reference"')]);
  expect(await sectionsByTitle()).toMatchObject({ Docs: { default: true }, More: { default: false } });
  await expect(
    creator.mutate('updateSite', { siteId: site.id, defaultSiteSectionId: more.id }, 'site { id }'),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
  await creator.patch(at(`site-spaces/${inner.id}`), { path: 'more' });
  expect((await creator.patch(site.path, { defaultSiteSection: more.id })).status).toBe(200);
});

test('lists site spaces in the order of the site, with the default apart', async () => {
  await addSection('More');
  const list = async (query = '') => {
    const { body } = await creator.restAs('listSiteSpaces', 'GET', at(`site-spaces${query}`), undefined, {
      beyond: true,
    });
    return [body.count, body.items.map(({ title }: { title: string }) => title)];
  };
  expect(await list()).toEqual([3, ['Guides', 'API', 'Help']]);
  expect(await list('?default=true')).toEqual([1, ['Guides']]);
  expect(await list('?default=false')).toEqual([2, ['API', 'Help']]);
  const first = (await creator.get(at('site-spaces?limit=2'))).body;
  const second = (await creator.get(at(`site-spaces?limit=2&page=${first.next.page}`))).body;
  expect([first.items.length, second.items.length, second.next]).toEqual([2, 1, undefined]);
  expect((await creator.get(at(`site-spaces?default=true&page=${first.next.page}`))).status).toBe(400);
});

test('updates a site space on both transports', async () => {
  const [first, second] = (await creator.get(at('site-spaces'))).body.items;
  const path = at(`site-spaces/${second.id}`);
  const changes = { path: 'v1.0', condition: 'visitor.claims.isBeta == true', spaceId: help };
  const { body } = await creator.restAs('updateSiteSpaceById', 'PATCH', path, changes);
  expect(body).toMatchObject({ path: 'v1.0', condition: changes.condition, title: 'Help', space: { id: help } });
  const { siteSpace } = await creator.mutate(
    'updateSiteSpace',
    { siteSpaceId: second.id, condition: null },
    'siteSpace { path condition title }',
  );
  expect(siteSpace).toEqual({ path: 'v1.0', condition: null, title: 'Help' });
  expect((await creator.patch(path, { path: first.path })).status).toBe(409);
  for (const wrong of [
    { path: '../x' },
    { path: '' },
    { condition: 'visitor.claims.' },
    { condition: 'x'.repeat(1025) },
    { spaceId: site.id },
  ])
    expect([wrong, (await creator.patch(path, wrong)).status]).toEqual([wrong, 400]);
  expect((await creator.patch(path, {})).body).toMatchObject({ path: 'v1.0' });
});

test('the next one becomes the default where the default is removed; a section keeps its last space', async () => {
  const [first, second] = (await creator.get(at('site-spaces'))).body.items;
  expect((await creator.delete(at(`site-spaces/${first.id}`))).status).toBe(204);
  expect((await creator.delete(at(`site-spaces/${first.id}`))).status).toBe(204);
  expect((await creator.get(at('site-spaces'))).body.items).toMatchObject([{ id: second.id, default: true }]);
  const section = await addSection('More');
  const { status, body } = await creator.delete(at(`site-spaces/${section.siteSpaces[0].id}`));
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('at least one space')]);
  const removed = await creator.mutate('deleteSiteSpace', { siteSpaceId: first.id }, 'deletedId site { id }');
  expect(removed).toEqual({ deletedId: null, site: null });
});

test('removing a space from a published site hides it at once', async () => {
  await creator.post(at('publish'));
  const [, second] = (await creator.get(at('site-spaces'))).body.items;
  expect((await anonymous.get(`/v1/spaces/${api}`)).status).toBe(200);
  expect((await anonymous.get(at('structure'))).body.structure).toHaveLength(2);
  await creator.delete(at(`site-spaces/${second.id}`));
  expect((await anonymous.get(`/v1/spaces/${api}`)).status).toBe(401);
  const url = `${app.services.config.sitesUrl}/${organizationId}/`;
  const [shown] = (await anonymous.get(at('structure'))).body.structure;
  expect(shown.urls.published).toMatch(new RegExp(`^${url}docs(-\\d+)?/$`));
  await creator.post(at('unpublish'));
});

test('updates a section on both transports', async () => {
  const { id, siteSpaces } = await addSection('More');
  const other = await add('site-spaces', { spaceId: api, sectionId: id });
  const path = at(`sections/${id}`);
  const changes = {
    title: 'Most',
    description: 'All of it',
    path: 'most',
    icon: 'star',
    condition: 'visitor.claims.unsigned.plan == "pro"',
    defaultSiteSpace: other.id,
  };
  const { body } = await creator.restAs('updateSiteSectionById', 'PATCH', path, changes);
  const { defaultSiteSpace: _, ...shown } = changes;
  expect(body).toMatchObject({ ...shown, siteSpaces: [{ default: false }, { default: true, id: other.id }] });
  const { siteSection } = await creator.mutate(
    'updateSiteSection',
    { siteSectionId: id, icon: null, condition: ' ', description: null, defaultSiteSpaceId: siteSpaces[0].id },
    'siteSection { title icon condition description siteSpaces { default } }',
  );
  expect(siteSection).toEqual({
    title: 'Most',
    icon: null,
    condition: null,
    description: null,
    siteSpaces: [{ default: true }, { default: false }],
  });
  expect((await creator.patch(path, { path: 'docs' })).status).toBe(409);
  const { Docs } = await sectionsByTitle();
  for (const wrong of [
    { title: 'A' },
    { path: '..' },
    { icon: 'x'.repeat(51) },
    { condition: '1 +' },
    { defaultSiteSpace: Docs.siteSpaces[0].id },
  ])
    expect([wrong, (await creator.patch(path, wrong)).status]).toEqual([wrong, 400]);
});

test('deleting a section removes its spaces and passes the default on, down to the last one', async () => {
  await addSection('More');
  const { Docs, More } = await sectionsByTitle();
  expect((await creator.patch(site.path, { defaultSiteSection: More.id })).status).toBe(200);
  expect(await sectionsByTitle()).toMatchObject({ Docs: { default: false }, More: { default: true } });
  expect((await creator.patch(site.path, { defaultSiteSpace: Docs.siteSpaces[1].id })).status).toBe(400);
  expect((await creator.patch(site.path, { defaultSiteSpace: More.siteSpaces[0].id })).status).toBe(200);
  expect((await creator.delete(at(`sections/${More.id}`))).status).toBe(204);
  expect(await sectionsByTitle()).toMatchObject({ Docs: { default: true } });
  const deletion = await creator.mutate(
    'deleteSiteSection',
    { siteSectionId: Docs.id },
    'deletedId site { siteSpacesCount }',
  );
  expect(deletion).toEqual({ deletedId: Docs.id, site: { siteSpacesCount: 0 } });
  expect(await structure()).toEqual({ type: 'siteSpaces', structure: [] });
  expect((await creator.get(`/v1/spaces/${help}`)).status).toBe(200);
});

test('groups nest to three, take sections in, and lift what they contain when they are deleted', async () => {
  const [a, b] = [await addSection('First'), await addSection('Second')];
  const outer = await creator.restAs('addSectionGroupToSite', 'POST', at('section-groups'), {
    title: 'Outer',
    icon: 'box',
    sections: [b.id, a.id],
  });
  expect([outer.status, outer.body.sections.map(({ id }: { id: string }) => id)]).toEqual([201, [b.id, a.id]]);
  const inner = await add('section-groups', { title: 'Inner', parent: outer.body.id });
  const innermost = await add('section-groups', { title: 'Innermost', parent: inner.id });
  expect((await creator.post(at('section-groups'), { title: 'Deep', parent: innermost.id })).status).toBe(400);
  expect((await creator.post(at('section-groups'), { title: 'Lost', parent: a.id })).status).toBe(400);
  expect((await creator.post(at('section-groups'), { title: 'Lost', sections: [outer.body.id] })).status).toBe(400);
  const moved = await creator.restAs('addSectionToGroup', 'POST', at(`section-groups/${inner.id}/sections`), {
    sectionId: a.id,
  });
  expect([moved.status, moved.body.sections[0].id]).toEqual([201, a.id]);
  for (const sectionId of [inner.id, outer.body.id]) {
    expect((await creator.post(at(`section-groups/${inner.id}/sections`), { sectionId })).status).toBe(400);
  }
  expect(await outline()).toEqual([
    { Docs: ['Guides', 'API'] },
    { Outer: [{ Second: ['Help'] }, { Inner: [{ Innermost: [] }, { First: ['Help'] }] }] },
  ]);
  const groups = await creator.restAs('listSiteSectionGroups', 'GET', at('section-groups'), undefined, {
    beyond: true,
  });
  expect(groups.body.items.map(({ title }: { title: string }) => title)).toEqual(['Outer', 'Inner', 'Innermost']);
  expect((await creator.delete(at(`section-groups/${inner.id}`))).status).toBe(204);
  expect((await outline())[1]).toEqual({
    Outer: [{ Second: ['Help'] }, { Innermost: [] }, { First: ['Help'] }],
  });
  expect((await creator.delete(at(`section-groups/${outer.body.id}/sections/${b.id}`))).status).toBe(204);
  expect((await creator.delete(at(`section-groups/${outer.body.id}/sections/${b.id}`))).status).toBe(204);
  const { siteSectionGroup } = await creator.mutate(
    'updateSiteSectionGroup',
    { siteSectionGroupId: outer.body.id, title: 'Renamed', icon: null },
    'siteSectionGroup { title icon children { __typename } }',
  );
  expect(siteSectionGroup).toEqual({
    title: 'Renamed',
    icon: null,
    children: [{ __typename: 'SiteSectionGroup' }, { __typename: 'SiteSection' }],
  });
  expect((await outline()).slice(1)).toEqual([
    { Renamed: [{ Innermost: [] }, { First: ['Help'] }] },
    { Second: ['Help'] },
  ]);
});

test('external links are added, changed, moved between groups and deleted', async () => {
  const group = await add('section-groups', { title: 'Links' });
  const link = { title: 'Status', url: 'https://status.acme.com/', description: 'Up?', condition: '!visitor.claims.x' };
  const created = await creator.restAs('addExternalLinkToSite', 'POST', at('external-links'), link, { beyond: true });
  expect([created.status, created.body]).toMatchObject([201, { object: 'site-external-link', draft: false, ...link }]);
  const path = at(`external-links/${created.body.id}`);
  const changes = { title: 'Health', url: 'https://health.acme.com/', parent: group.id, description: null };
  const { body } = await creator.restAs('updateSiteExternalLinkById', 'PATCH', path, changes, { beyond: true });
  expect(body).toMatchObject({ title: 'Health', url: changes.url, sectionGroup: group.id });
  expect(body).not.toHaveProperty('description');
  for (const wrong of [{ url: 'javascript:alert(1)' }, { url: '/here' }, { title: 'A' }, { parent: site.id }])
    expect([wrong, (await creator.patch(path, wrong)).status]).toEqual([wrong, 400]);
  const deleted = await creator.mutate(
    'deleteSiteExternalLink',
    { siteExternalLinkId: body.id },
    'deletedId site { id }',
  );
  expect(deleted).toEqual({ deletedId: body.id, site: { id: site.id } });
  expect((await creator.delete(path)).status).toBe(204);
});

test.each([
  ['a link', 'external-links', { title: 'Status', url: 'https://status.acme.com/' }, 'Status'],
  ['an empty group', 'section-groups', { title: 'More', sections: [] }, { More: [] }],
] as const)(
  'the first item of a site can be %s; its spaces stay in the structure',
  async (_what, path, item, shown) => {
    await creator.post(at('publish'));
    const urls = async () =>
      (await creator.get(at('site-spaces'))).body.items.map(({ urls: of }: { urls: object }) => of);
    const before = await urls();
    expect((await creator.post(at(path), item)).status).toBe(201);
    expect([(await structure()).type, await outline()]).toEqual(['sections', [{ Docs: ['Guides', 'API'] }, shown]]);
    expect(await urls()).toEqual(before);
  },
);

const STATUS = { title: 'Status', url: 'https://status.acme.com/' };
const ITEMS = '... on SiteSectionGroup { title } ... on SiteExternalLink { title }';

/** The structure of the site in the graph, with the titles of groups, links and spaces. */
const structureInGraph = async () => {
  const data = await creator.graphql(
    `query ($id: ID!) { site(id: $id) { structure { __typename
      ... on SiteSectionsStructure { items: structure { ${ITEMS} } }
      ... on SiteSpacesStructure { structure { title } items { ${ITEMS} } } } } }`,
    { id: site.id },
  );
  return data.site.structure;
};

test('a link or a group on a new site is in its structure, and a space beside it gets a default section', async () => {
  site = await siteWith(creator, organizationId, { title: 'New' });
  await add('external-links', STATUS);
  await add('section-groups', { title: 'More', sections: [] });
  expect([(await structure()).type, await outline()]).toEqual(['sections', ['Status', { More: [] }]]);
  const items = [{ title: 'Status' }, { title: 'More' }];
  expect(await structureInGraph()).toEqual({ __typename: 'SiteSectionsStructure', items });
  await add('site-spaces', { spaceId: help });
  expect(await outline()).toEqual(['Status', { More: [] }, { New: ['Help'] }]);
  expect(await sectionsByTitle()).toMatchObject({ New: { default: true } });
});

test('visitors who see none of the sections still see the links', async () => {
  await add('external-links', STATUS);
  const { Docs } = await sectionsByTitle();
  const hidden = await creator.patch(at(`sections/${Docs.id}`), { condition: 'visitor.claims.beta == true' });
  expect(hidden.status).toBe(200);
  await creator.post(at('publish'));
  expect([(await structure(anonymous)).type, await outline(anonymous)]).toEqual(['sections', ['Status']]);
});

test('links that earlier versions left beside spaces at the root are shown with the spaces', async () => {
  await add('external-links', STATUS);
  const { Docs } = await sectionsByTitle();
  await app.services.db.updateTable('site_space').set({ sectionId: null }).where('sectionId', '=', Docs.id).execute();
  await app.services.db.deleteFrom('site_item').where('id', '=', Docs.id).execute();
  await creator.post(at('publish'));
  for (const client of [creator, anonymous]) {
    const { type, structure: spaces, items } = (await client.get(at('published'))).body.structure;
    expect([type, outlineOf(spaces), outlineOf(items)]).toEqual(['siteSpaces', ['Guides', 'API'], ['Status']]);
  }
  expect(await structureInGraph()).toEqual({
    __typename: 'SiteSpacesStructure',
    structure: [{ title: 'Guides' }, { title: 'API' }],
    items: [{ title: 'Status' }],
  });
  await add('site-spaces', { spaceId: help });
  expect(await outline()).toEqual(['Status', { Docs: ['Guides', 'API', 'Help'] }]);
});

test('sortSiteStructure and the deprecated moves move items among their siblings', async () => {
  const [a, b] = [await addSection('First'), await addSection('Second')];
  const group = await add('section-groups', { title: 'Group', sections: [b.id] });
  const link = await add('external-links', { title: 'Status', url: 'https://status.acme.com/' });
  const titles = async () => (await structure()).structure.map(({ title }: { title: string }) => title);
  const pointer = (type: string, id: string) => ({ type, id });
  const sort = (item: unknown, position: unknown) => creator.patch(at('structure/sort'), { item, position });
  const sorted = await sort(pointer('site-external-link', link.id), { before: pointer('site-section', a.id) });
  expect([sorted.status, sorted.body.object]).toEqual([200, 'site-external-link']);
  expect(await titles()).toEqual(['Docs', 'Status', 'First', 'Group']);
  const toEnd = { position: { after: pointer('site-section-group', group.id) } };
  await creator.restAs('moveSiteSection', 'POST', at(`sections/${a.id}/move`), {
    position: { after: { type: 'site-section', siteSection: (await sectionsByTitle()).Docs.id } },
  });
  expect(await titles()).toEqual(['Docs', 'First', 'Status', 'Group']);
  expect((await creator.post(at(`section-groups/${group.id}/move`), toEnd)).status).toBe(400);
  await creator.restAs('moveSiteSectionGroup', 'POST', at(`section-groups/${group.id}/move`), {
    position: { before: pointer('site-section', a.id) },
  });
  expect(await titles()).toEqual(['Docs', 'Group', 'First', 'Status']);
  const { siteSpaces } = (await sectionsByTitle()).Docs;
  const moving = { position: { after: { type: 'site-space', siteSpace: siteSpaces[1].id } } };
  expect(
    (await creator.restAs('moveSiteSpace', 'POST', at(`site-spaces/${siteSpaces[0].id}/move`), moving)).status,
  ).toBe(200);
  expect((await outline())[0]).toEqual({ Docs: ['API', 'Guides'] });
  await creator.mutate(
    'sortSiteStructure',
    { siteId: site.id, itemId: siteSpaces[0].id, position: { beforeId: siteSpaces[1].id } },
    'site { id }',
  );
  expect((await outline())[0]).toEqual({ Docs: ['Guides', 'API'] });
  for (const [position, status] of [
    [{ before: pointer('site-section', b.id) }, 400],
    [{ before: pointer('site-section', group.id) }, 400],
    [{ before: pointer('site-section', a.id), after: pointer('site-section', a.id) }, 400],
    [{ before: pointer('site-section-group', group.id) }, 400],
    [undefined, 200],
    [undefined, 409],
  ] as const)
    expect([position, (await sort(pointer('site-section-group', group.id), position)).status]).toEqual([
      position,
      status,
    ]);
  expect((await sort(pointer('site-space', a.id), {})).status).toBe(400);
});

test('many moves to one place keep the order', async () => {
  const { items } = (await creator.get(at('site-spaces'))).body;
  const third = await add('site-spaces', { spaceId: help });
  const ids = [...items.map(({ id }: { id: string }) => id), third.id];
  for (let turn = 0; turn < 80; turn++) {
    const [first, , last] = ids as [string, string, string];
    ids.splice(1, 2, last, ids[1] as string);
    await creator.mutate('moveSiteSpace', { siteSpaceId: last, position: { afterId: first } }, 'siteSpace { id }');
  }
  expect((await creator.get(at('site-spaces'))).body.items.map(({ id }: { id: string }) => id)).toEqual(ids);
});

test('duplicates a space of the site next to it', async () => {
  const [first] = (await creator.get(at('site-spaces'))).body.items;
  const { body, status } = await creator.restAs('duplicateSiteSpace', 'POST', at(`site-spaces/${first.id}/duplicate`));
  expect([status, body.title, await outline()]).toEqual([201, 'Guides (copy)', ['Guides', 'Guides (copy)', 'API']]);
});

test('the structure needs the role create on the site', async () => {
  const section = await addSection('More');
  const [siteSpace] = section.siteSpaces;
  const group = await add('section-groups', { title: 'Group' });
  const writes = [
    ['POST', 'site-spaces', { spaceId: help }],
    ['PATCH', `site-spaces/${siteSpace.id}`, { path: 'x' }],
    ['DELETE', `site-spaces/${siteSpace.id}`, undefined],
    ['POST', 'sections', { spaceId: help }],
    ['PATCH', `sections/${section.id}`, { title: 'New' }],
    ['DELETE', `sections/${section.id}`, undefined],
    ['POST', 'section-groups', { title: 'New' }],
    ['PATCH', `section-groups/${group.id}`, { title: 'New' }],
    ['POST', `section-groups/${group.id}/sections`, { sectionId: section.id }],
    ['POST', 'external-links', { title: 'New', url: 'https://acme.com/' }],
    ['PATCH', 'structure/sort', { item: { type: 'site-section', id: section.id } }],
  ] as const;
  await grant(site.id, editor.userId, 'edit');
  for (const [method, path, body] of writes) {
    expect([path, (await editor.send(method, at(path), body)).status]).toEqual([path, 403]);
    expect([path, (await outsider.send(method, at(path), body)).status]).toEqual([path, 404]);
  }
  expect((await reader.get(at('structure'))).status).toBe(200);
});

test('spaces that are deleted or hidden from the caller are left out, and items of other sites are not found', async () => {
  const secret = await newSpace('Secret');
  await creator.patch(`/v1/spaces/${secret}`, { defaultLevel: null });
  const section = await add('sections', { spaceId: secret, title: 'Hidden' });
  expect(await outline()).toEqual([{ Docs: ['Guides', 'API'] }, { Hidden: ['Secret'] }]);
  expect(await outline(reader)).toEqual([{ Docs: ['Guides', 'API'] }, { Hidden: [] }]);
  const [hidden] = section.siteSpaces;
  expect((await reader.get(at(`site-spaces/${hidden.id}`))).status).toBe(404);
  expect((await reader.graphql(`{ node(id: "${hidden.id}") { id } }`)).node).toBeNull();
  await creator.delete(`/v1/spaces/${secret}`);
  expect((await creator.get(at('site-spaces'))).body.count).toBe(2);
  const other = await siteWith(creator, organizationId, { title: 'Other' });
  expect((await creator.get(`${other.path}/sections/${section.id}`)).status).toBe(404);
  expect((await creator.patch(`${other.path}/sections/${section.id}`, { title: 'Mine' })).status).toBe(404);
});

test('items of other sites are not found, whatever is wrong with the request', async () => {
  const other = await siteWith(creator, organizationId, { title: 'Other', spaces: [help] });
  const { body: group } = await creator.post(`${other.path}/section-groups`, { title: 'Elsewhere' });
  const [{ id: siteSpaceId }] = (await creator.get(`${other.path}/site-spaces`)).body.items;
  for (const path of [`section-groups/${group.id}`, `site-spaces/${siteSpaceId}`, 'sections/section_absent']) {
    const invalid = await creator.patch(at(path), { title: 1, path: 1 });
    expect([path, invalid.status]).toEqual([path, 404]);
  }
  expect((await creator.post(at(`section-groups/${group.id}/sections`), {})).status).toBe(404);
  expect((await creator.post(`${other.path}/section-groups/${group.id}/sections`, {})).status).toBe(400);
});

/** Fields of a structure that need statements of their own. */
const IN_GRAPH = `site(id: $site) { siteSpacesCount structure { ... on SiteSectionsStructure { structure { ... on SiteSection {
  title urls { published } siteSpaces { title urls { published } space { id title visibility openChangeRequestsCount
    urls { published } permissions { edit } parent { id } } } } } } } }`;

/**
 * Some requests cost a statement more than the others: one reads what is remembered of the caller for a few seconds,
 * and on a busy machine two loads of a kind can miss each other. The least of so many is what counts.
 */
const TURNS = 6;

test('a site with 20 sections and 200 spaces costs as many statements as one with two sections', async () => {
  const small = await siteWith(creator, organizationId, { title: 'Small', spaces: [help] });
  await creator.post(`${small.path}/sections`, { spaceId: help, title: 'Only one' });
  // A space on both sites would have its URL on the older one, whose address is read too.
  const other = await newSpace('Other');
  const large = await siteWith(creator, organizationId, { title: 'Large', spaces: [other] });
  await creator.post(`${large.path}/sections`, { spaceId: other, title: 'First' });
  await enlarge(app.services.db, large.id, { spaceId: other, sections: 20, spaces: 10 });
  const reads = async ({ id, path }: typeof small) => {
    await admin.post(`${path}/publish`);
    const [first, second] = (await creator.get(`${path}/sections?limit=2`)).body.items;
    const [item, next] = [second, first].map(({ id: itemId }) => ({ type: 'site-section', id: itemId }));
    const asking: Record<string, (position: object) => Promise<RestAnswer>> = {
      structure: () => creator.get(`${path}/structure`),
      published: () => creator.get(`${path}/published`),
      siteSpaces: () => creator.get(`${path}/site-spaces?limit=1000`),
      sections: () => creator.get(`${path}/sections?limit=1000`),
      graph: () => creator.graphqlRaw(`query ($site: ID!) { ${IN_GRAPH} }`, { site: id }),
      move: (position) => creator.patch(`${path}/structure/sort`, { item, position }),
    };
    const counts: [string, number][] = [];
    for (const [name, ask] of Object.entries(asking)) {
      const answers: RestAnswer[] = [];
      for (let turn = 0; turn < TURNS; turn++)
        answers.push(await ask(turn % 2 === 0 ? { before: next } : { after: next }));
      expect([name, new Set(answers.map(({ status }) => status))]).toEqual([name, new Set([200])]);
      counts.push([name, Math.min(...answers.map(statementsOf))]);
    }
    return counts;
  };
  const few = await reads(small);
  const many = await reads(large);
  expect((await creator.get(`${large.path}/site-spaces?limit=1000`)).body.items).toHaveLength(202);
  expect(many).toEqual(few);
});

test('a structure costs as many statements for many items as for one', async () => {
  const reads = async () => {
    const counts: number[] = [];
    for (const part of ['structure', 'site-spaces', 'sections']) {
      const asked: number[] = [];
      for (let turn = 0; turn < TURNS; turn++) asked.push(statementsOf(await creator.get(at(part))));
      counts.push(Math.min(...asked));
    }
    return counts;
  };
  await addSection('One');
  const few = await reads();
  for (let count = 0; count < 6; count++) await addSection(`Section ${count}`);
  const spare = await newSpace('Spare');
  for (let count = 0; count < 6; count++) await add('site-spaces', { spaceId: spare });
  expect(await reads()).toEqual(few);
});

test('a position without an ID, or with one of another type, is refused at its place', async () => {
  const section = await addSection('Without position');
  const group = await add('section-groups', { title: 'Without position', sections: [(await addSection('Inside')).id] });
  const [siteSpace] = (await creator.get(at('site-spaces'))).body.items;
  for (const [path, type, property] of [
    [`sections/${section.id}`, 'site-section', 'siteSection'],
    [`section-groups/${group.id}`, 'site-section', 'id'],
    [`site-spaces/${siteSpace.id}`, 'site-space', 'siteSpace'],
  ] as const) {
    for (const pointer of [{ type }, {}, { type, [property]: 7 }]) {
      const { status, body } = await creator.post(at(`${path}/move`), { position: { after: pointer } });
      const message = `position.after: must be \`{ "type": "${type}", "${property}": … }\`.`;
      expect([path, pointer, status, body.error.message]).toEqual([path, pointer, 400, message]);
    }
  }
  const sort = async (body: object) => (await creator.patch(at('structure/sort'), body)).body.error.message;
  const wanted = 'must be `{ "type": "site-section", "id": … }`.';
  expect(await sort({ item: { type: 'site-section' } })).toBe(`item: ${wanted}`);
  const item = { type: 'site-section', id: section.id };
  expect(await sort({ item, position: { before: {} } })).toBe(`position.before: ${wanted}`);
});
