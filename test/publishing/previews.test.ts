import { beforeAll, expect, test } from 'vitest';
import { Client } from '../client.ts';
import { world } from '../world.ts';
import { siteWith } from './arrange.ts';
import { show, spaceWith } from './reader-world.ts';

const { app, url, admin, creator, reader, outsider, anonymous, organizationId, advance } = await world();

let site: Awaited<ReturnType<typeof siteWith>>;
let spaceId = '';
let hiddenId = '';
let changeRequest: Record<string, string> = {};
let earlier = '';
const at = () => `${site.path}/publishing/preview`;

beforeAll(async () => {
  const made = await spaceWith(creator, organizationId, 'Guides', [
    { title: 'Welcome', document: { markdown: 'Hello.' } },
    { title: 'Setup', document: { markdown: 'Install it.' } },
    { title: 'Beta', condition: 'visitor.claims.isBeta == true', document: { markdown: 'For testers.' } },
  ]);
  spaceId = made.spaceId;
  hiddenId = (await spaceWith(admin, organizationId, 'Secret', [{ title: 'Plan', document: { markdown: 'Secret.' } }]))
    .spaceId;
  await admin.patch(`/v1/spaces/${hiddenId}`, { defaultLevel: null });
  site = await siteWith(admin, organizationId, { title: 'Acme Docs', spaces: [spaceId, hiddenId] });
  await admin.patch(site.path, { adaptiveContent: { enabled: true } });
  earlier = (await creator.get(`/v1/spaces/${spaceId}`)).body.revision;
  await creator.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ updatePage: { pageId: made.pageIds[1], document: { markdown: 'Install it today.' } } }] },
    'pageIds',
  );
  changeRequest = (await creator.post(`/v1/spaces/${spaceId}/change-requests`, { subject: 'Better' })).body;
  await creator.mutate(
    'updateChangeRequestContent',
    {
      changeRequestId: changeRequest.id,
      changes: [{ updatePage: { pageId: made.pageIds[1], document: { markdown: 'Install it tomorrow.' } } }],
    },
    'pageIds',
  );
});

/** The URL of a preview, and the token in it. */
async function previewOf(client: Client, query: Record<string, string> = {}) {
  const path = `${at()}?${new URLSearchParams(query)}`;
  const { status, body } = await client.restAs('getSitePublishingPreviewById', 'GET', path, undefined, {
    beyond: true,
  });
  expect([status, body.error?.message]).toEqual([200, undefined]);
  const given = new URL(body.url);
  return { path: given.pathname, token: given.searchParams.get('jwt_token') ?? '' };
}

const shown = (path: string, token: string) => show(`${url}${path}`, { authorization: `Bearer ${token}` });

test('shows an unpublished site to members, with the spaces that they can read', async () => {
  const { path, token } = await previewOf(reader);
  const preview = (await admin.get(site.path)).body.urls.preview;
  expect(path).toBe(new URL(preview).pathname);
  const home = await shown(path, token);
  expect([home.status, home.headers.get('cache-control'), home.headers.get('x-robots-tag')]).toEqual([
    200,
    'private, no-store',
    'noindex',
  ]);
  expect(home.text).toContain('<h1>Welcome</h1>');
  expect(home.text).toContain(`<a href="${path}setup"`);
  expect(home.text).not.toContain('Secret');
  expect((await shown(`${path}secret/`, token)).text).not.toContain('Plan');
  const ofAdmin = await previewOf(admin, { siteSpace: await siteSpaceOf(hiddenId) });
  expect((await shown(ofAdmin.path, ofAdmin.token)).text).toContain('<h1>Plan</h1>');
  expect((await show(`${url}${path}`)).status).toBe(404);
});

const siteSpaceOf = async (wanted: string) => {
  const { items } = (await admin.get(`${site.path}/site-spaces`)).body;
  return items.find(({ space }: { space: { id: string } }) => space.id === wanted).id;
};

test('keeps the token in a cookie of the preview, and removes it from the URL', async () => {
  const { path, token } = await previewOf(reader, { target: 'setup' });
  const arrival = await show(`${url}${path}?jwt_token=${token}`);
  expect([arrival.status, arrival.headers.get('location')]).toEqual([303, path]);
  const [cookie = ''] = arrival.headers.getSetCookie();
  expect(cookie).toContain(`Path=${path.replace('/setup', '')};`);
  expect(cookie).toContain('HttpOnly');
  const page = await show(`${url}${path}`, { cookie: cookie.split(';')[0] ?? '' });
  expect(page.text).toContain('Install it today.');
});

test('shows what visitors with some claims see', async () => {
  const none = await previewOf(creator);
  expect((await shown(none.path, none.token)).text).not.toContain('Beta');
  const beta = await previewOf(creator, { claims: JSON.stringify({ isBeta: true }) });
  expect((await shown(`${beta.path}beta`, beta.token)).text).toContain('For testers.');
});

test('shows change requests and revisions, with links that stay in them', async () => {
  const { path, token } = await previewOf(reader);
  const version = `${path}~/changes/${changeRequest.id}`;
  const page = await shown(`${version}/setup`, token);
  expect(page.text).toContain('Install it tomorrow.');
  expect(page.text).toContain(`<a href="${version}/">Welcome</a>`);
  const byNumber = await shown(`${path}~/changes/1/setup`, token);
  expect([byNumber.status, byNumber.headers.get('location')]).toEqual([307, `${version}/setup`]);
  expect((await shown(`${path}~/revisions/${earlier}/setup`, token)).text).toContain('Install it.');
  const { body: foreign } = await admin.post(`/v1/spaces/${hiddenId}/change-requests`, { subject: 'Hidden' });
  expect((await shown(`${path}~/changes/${foreign.id}/`, token)).status).toBe(404);
});

test('the PDF of a preview is that of the change request, with pages that exist only there', async () => {
  const { body: request } = await creator.post(`/v1/spaces/${spaceId}/change-requests`, { subject: 'A new page' });
  const { pageIds } = await creator.mutate(
    'updateChangeRequestContent',
    {
      changeRequestId: request.id,
      changes: [{ insertPage: { title: 'Only here', document: { markdown: 'Not merged.' } } }],
    },
    'pageIds',
  );
  const { revision } = (await creator.get(`/v1/spaces/${spaceId}/change-requests/${request.id}`)).body;
  const { path, token } = await previewOf(reader);
  const pdf = `${path}~/changes/${request.id}/~gitbook/pdf`;
  const linkAt = async (address: string) => {
    const { status, headers } = await shown(address, token);
    const { pathname, searchParams } = new URL(headers.get('location') ?? '', url);
    return { status, pathname, page: searchParams.get('page') };
  };
  expect(await linkAt(pdf)).toMatchObject({ status: 307, pathname: `/pdf/${spaceId}/${revision}`, page: null });
  const ofPage = await linkAt(`${pdf}?page=${pageIds[0]}&only=yes`);
  expect(ofPage).toMatchObject({ status: 307, pathname: `/pdf/${spaceId}/${revision}`, page: pageIds[0] });
  const { pathname } = await linkAt(`${path}~/revisions/${earlier}/~gitbook/pdf`);
  expect(pathname).toBe(`/pdf/${spaceId}/${earlier}`);
  expect((await shown(`${path}~gitbook/pdf?page=${pageIds[0]}`, token)).status).toBe(404);
});

test('renderers resolve previews, with a token that reads what they show', async () => {
  const { path, token } = await previewOf(reader);
  const resolve = (address: string, jwtToken?: string) =>
    anonymous.restAs(
      'resolvePublishedContentByUrl',
      'POST',
      '/v1/urls/published',
      { url: address, visitor: { jwtToken, type: 'human' } },
      { beyond: true },
    );
  const { sitesUrl } = app.services.config;
  for (const address of [`${new URL(sitesUrl).origin}${path}setup`, `https://preview/${site.id}/setup`]) {
    const { body } = await resolve(address, token);
    expect(body).toMatchObject({ site: site.id, space: spaceId, pathname: '/setup', preview: true });
  }
  expect((await resolve(`https://preview/${site.id}/`)).status).toBe(404);
  const { body } = await resolve(`https://preview/${site.id}/~/changes/1/setup`, token);
  expect(body).toMatchObject({
    changeRequest: changeRequest.id,
    pathname: '/setup',
    basePath: `/${site.id}/~/changes/${changeRequest.id}/`,
    siteBasePath: `/${site.id}/`,
  });
  const renderer = new Client(url, body.apiToken);
  const reads = ['', `/revisions/${body.revision}`, `/change-requests/${body.changeRequest}`];
  const further = [`/change-requests/${body.changeRequest}/changes`, `/revisions/${earlier}/changes`];
  for (const read of [...reads, ...further]) {
    expect([read, (await renderer.get(`/v1/spaces/${spaceId}${read}`)).status]).toEqual([read, 200]);
  }
  expect((await renderer.get(`${site.path}/published`)).status).toBe(200);
  expect((await renderer.get(`/v1/spaces/${hiddenId}`)).status).toBe(404);
  expect((await renderer.get(`/v1/orgs/${organizationId}/members`)).status).toBe(403);
  expect((await renderer.patch(`/v1/spaces/${spaceId}`, { title: 'Mine' })).status).toBe(403);
  // The token of the URL is none of the API.
  expect((await new Client(url, token).get(`/v1/spaces/${spaceId}`)).status).toBe(401);
});

test('readers of a preview see neither changes of hidden content nor what belongs to the discussion', async () => {
  const { path, token } = await previewOf(reader);
  const address = `${new URL(app.services.config.sitesUrl).origin}${path}`;
  const { body } = await anonymous.post('/v1/urls/published', {
    url: address,
    visitor: { jwtToken: token, type: 'human' },
  });
  const renderer = new Client(url, body.apiToken);
  const { body: secret } = await creator.post(`/v1/spaces/${spaceId}/change-requests`, { subject: 'Secret' });
  const { pages } = (await creator.get(`/v1/spaces/${spaceId}/content/pages`)).body;
  const betaId = pages.find(({ title }: { title: string }) => title === 'Beta').id;
  await creator.mutate(
    'updateChangeRequestContent',
    {
      changeRequestId: secret.id,
      changes: [
        { updatePage: { pageId: betaId, document: { markdown: 'For testers of the rocket.' } } },
        { updatePage: { pageId: pages[1].id, document: { markdown: 'Install it on Friday.' } } },
        { setVariables: { variables: { codename: 'rocket' } } },
      ],
    },
    'pageIds',
  );
  await creator.post(`/v1/spaces/${spaceId}/change-requests/${secret.id}/comments`, {
    body: { markdown: 'Internal.' },
  });
  const changesPath = `/v1/spaces/${spaceId}/change-requests/${secret.id}/changes`;
  const ofMember = (await creator.get(changesPath)).body;
  expect(JSON.stringify(ofMember)).toContain('Beta');
  const seen = await renderer.get(changesPath);
  expect(seen.status).toBe(200);
  expect(JSON.stringify(seen.body)).toContain('Setup');
  expect(JSON.stringify(seen.body)).not.toMatch(/Beta|codename|rocket/);
  const first = (await creator.get(`/v1/spaces/${spaceId}/revisions`)).body.items.at(-1);
  expect(
    JSON.stringify((await renderer.get(`/v1/spaces/${spaceId}/revisions/${first.id}/changes`)).body),
  ).not.toContain('Beta');
  const onMonday = [{ updatePage: { pageId: pages[1].id, document: { markdown: 'Install it on Monday.' } } }];
  await creator.mutate('updateSpaceContent', { spaceId, changes: onMonday }, 'pageIds');
  const rules = [{ rule: 'require_one_of_specific_reviewers', users: [admin.userId] }];
  await admin.patch(`/v1/spaces/${spaceId}`, { mergeRules: { type: 'rules', rules } });
  const mergeability = `query ($id: ID!) { changeRequest(id: $id) { openCommentsCount
    mergeability { mergeable missingPermission unmetRules { rule } conflicts { kind } } } }`;
  expect((await creator.graphql(mergeability, { id: secret.id })).changeRequest).toMatchObject({
    openCommentsCount: 1,
    mergeability: { mergeable: false, unmetRules: [{}], conflicts: [{}] },
  });
  expect((await renderer.graphql(mergeability, { id: secret.id })).changeRequest).toEqual({
    openCommentsCount: 0,
    mergeability: { mergeable: false, missingPermission: 'REVIEW', unmetRules: [], conflicts: [] },
  });
  const { changeRequest: shownRequest } = await renderer.graphql(
    `query ($id: ID!) { changeRequest(id: $id) { subject changes { nodes { __typename ... on PageEdited { markdown page { title } } } }
      comments { totalCount nodes { id } } commenters { nodes { user { displayName } } } contributors { nodes { id } }
      reviews { nodes { id } } requestedReviewers { nodes { id } } conflicts { nodes { __typename } } } }`,
    { id: secret.id },
  );
  expect(shownRequest.subject).toBe('Secret');
  expect(JSON.stringify(shownRequest.changes)).toContain('Friday');
  expect(JSON.stringify(shownRequest.changes)).not.toContain('rocket');
  expect(shownRequest.comments).toEqual({ totalCount: 0, nodes: [] });
  for (const list of ['commenters', 'contributors', 'reviews', 'requestedReviewers', 'conflicts']) {
    expect([list, shownRequest[list].nodes]).toEqual([list, []]);
  }
});

test('ends after two hours, and with the role of the member', async () => {
  const { path, token } = await previewOf(reader);
  await admin.patch(site.path, { defaultLevel: null });
  expect((await shown(path, token)).status).toBe(404);
  await admin.patch(site.path, { defaultLevel: 'inherit' });
  expect((await shown(path, token)).status).toBe(200);
  advance(121 * 60_000);
  expect((await shown(path, token)).status).toBe(404);
});

test('is for members with a role on the site, and refuses paths that leave it', async () => {
  expect((await outsider.get(at())).status).toBe(404);
  expect((await anonymous.get(at())).status).toBe(401);
  const refused = ['../../other', 'a/%2e%2e/b', 'a?b', 'a\\b', 'a%2Fb'];
  for (const target of refused) {
    expect([target, (await reader.get(`${at()}?target=${encodeURIComponent(target)}`)).status]).toEqual([target, 400]);
  }
  expect((await reader.get(`${at()}?claims=nothing`)).body.error.message).toMatch(/^claims: /);
  expect((await reader.get(`${at()}?siteSpace=${await siteSpaceOf(spaceId)}x`)).status).toBe(400);
  const ask = 'query ($id: ID!) { site(id: $id) { preview(target: "setup") } }';
  const { site: seen } = await reader.graphql(ask, { id: site.id });
  expect(new URL(seen.preview).pathname).toMatch(/\/url\/preview\/site_\w+\/setup$/);
  await admin.post(`${site.path}/publish`);
  expect((await outsider.graphql(ask, { id: site.id })).site.preview).toBeNull();
});
