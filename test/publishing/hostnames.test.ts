import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { checkCustomHostnames } from '../../src/domain/publishing/hostnames/check-custom-hostnames.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { world } from '../world.ts';
import { siteWith, spaceTitled } from './arrange.ts';

/** The CNAME records of the tests. Others do not exist; `undefined` is a name server that does not answer. */
const records = new Map<string, string[] | undefined>();
const dns = {
  txt: async () => [],
  async cname(hostname: string) {
    if (records.has(hostname) && records.get(hostname) === undefined) throw new Error('timeout');
    return records.get(hostname) ?? [];
  },
};
const { app, url, creator, editor, reader, outsider, anonymous, organizationId, grant, advance } = await world(
  { SITES_URL: 'https://docs.stemma.dev' },
  { dns },
);
const guides = await spaceTitled(creator, organizationId, 'Guides');

let site: Awaited<ReturnType<typeof siteWith>>;
let hostname = '';
let count = 0;
beforeEach(async () => {
  site = await siteWith(creator, organizationId, { title: 'Docs', spaces: [guides] });
  await creator.post(`${site.path}/publish`);
  count += 1;
  hostname = `docs.acme-${count}.com`;
  expect((await creator.patch(site.path, { hostname })).status).toBe(200);
});

const at = () => `/v1/custom-hostnames/${hostname}`;
const published = async () => (await anonymous.get(site.path)).body.urls.published;
const shared = () => `https://docs.stemma.dev/${organizationId}/${site.body.basename}/`;
const statusNow = async () => {
  const { body } = await creator.restAs('getCustomHostname', 'GET', at());
  return [body.isActive, body.status];
};
const check = () =>
  checkCustomHostnames.run(jobContext(app.services, 'check'), {}, { signal: new AbortController().signal, retries: 0 });
const leadHere = async () => records.set(hostname, [(await creator.get(at())).body.cname]);

test('a hostname whose record leads to the site is verified, and becomes the address of the site', async () => {
  const { body } = await creator.restAs('getCustomHostname', 'GET', at());
  expect(body).toMatchObject({
    object: 'custom-hostname',
    hostname,
    target: { type: 'site', site: site.id },
    isActive: false,
    cname: `${site.id.replace('_', '-')}.docs.stemma.dev`,
  });
  expect(body).not.toHaveProperty('status');
  expect((await creator.patch(at())).status).toBe(204);
  expect([await statusNow(), await published()]).toEqual([[false, 'dns_no_cname'], shared()]);
  records.set(hostname, ['somewhere.else.com']);
  await creator.patch(at());
  expect([await statusNow(), await published()]).toEqual([[false, 'dns_wrong_cname'], shared()]);
  await leadHere();
  const { site: seen } = await creator.mutate(
    'verifyCustomHostname',
    { hostname },
    'site { customHostname { isActive status checkedAt cname hostname } urls { published } proxy { target } }',
  );
  expect(seen).toMatchObject({
    customHostname: { isActive: true, status: 'DNS_PASSED', hostname },
    urls: { published: `https://${hostname}/` },
  });
  expect(await published()).toBe(`https://${hostname}/`);
});

test('hostnames are checked again: at first every ten minutes, and once a day after they are verified', async () => {
  await check();
  expect(await statusNow()).toEqual([false, 'dns_no_cname']);
  await leadHere();
  await check();
  expect(await statusNow()).toEqual([false, 'dns_no_cname']);
  advance(10 * 60_000);
  await check();
  expect(await statusNow()).toEqual([true, 'dns_passed']);
  records.set(hostname, ['somewhere.else.com']);
  advance(10 * 60_000);
  await check();
  expect(await statusNow()).toEqual([true, 'dns_passed']);
  records.set(hostname, undefined);
  advance(24 * 60 * 60_000);
  await check();
  expect(await statusNow()).toEqual([true, 'dns_passed']);
  records.set(hostname, []);
  advance(24 * 60 * 60_000);
  await check();
  expect([await statusNow(), await published()]).toEqual([[false, 'dns_no_cname'], shared()]);
});

test('another hostname is not verified, and a removed one is free', async () => {
  await leadHere();
  await creator.patch(at());
  const former = hostname;
  hostname = `new.${former}`;
  await creator.patch(site.path, { hostname });
  expect([await statusNow(), await published()]).toEqual([[false, undefined], shared()]);
  expect((await creator.delete(at())).status).toBe(204);
  expect((await creator.delete(at())).status).toBe(204);
  expect((await creator.get(at())).status).toBe(404);
  expect((await creator.get(site.path)).body).not.toHaveProperty('hostname');
  const other = await siteWith(outsider, (await outsider.get('/v1/orgs')).body.items[0].id, { title: 'Other' });
  expect((await outsider.patch(other.path, { hostname: former })).status).toBe(200);
  // The record still names the first site.
  hostname = former;
  await outsider.patch(at());
  expect((await outsider.get(at())).body).toMatchObject({ isActive: false, status: 'dns_wrong_cname' });
});

test.each([
  ['none', null],
  ['another', 'other.acme.com'],
] as const)('a hostname that a site gave up for %s and claims again is not verified', async (_what, other) => {
  await leadHere();
  await creator.patch(at());
  expect((await showAt(hostname, '/')).body).toContain('Guides');
  await creator.patch(site.path, { hostname: other });
  // Meanwhile the record leads elsewhere.
  records.set(hostname, []);
  expect((await creator.patch(site.path, { hostname })).status).toBe(200);
  expect([await statusNow(), await published()]).toEqual([[false, undefined], shared()]);
  expect((await showAt(hostname, '/')).body).not.toContain('Guides');
  await leadHere();
  await creator.patch(at());
  expect([await statusNow(), await published()]).toEqual([[true, 'dns_passed'], `https://${hostname}/`]);
  await creator.patch(site.path, { hostname, title: 'Renamed' });
  expect(await statusNow()).toEqual([true, 'dns_passed']);
});

test('custom hostnames are for admins of the site', async () => {
  await grant(site.id, editor.userId, 'create');
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    expect([method, (await editor.send(method, at())).status]).toEqual([method, 403]);
    expect([method, (await reader.send(method, at())).status]).toEqual([method, 403]);
    expect([method, (await anonymous.send(method, at())).status]).toEqual([method, 401]);
  }
  expect((await outsider.get('/v1/custom-hostnames/nobody.has.this')).status).toBe(404);
  const hidden = await siteWith(creator, organizationId, { title: 'Hidden' });
  await creator.patch(hidden.path, { hostname: 'hidden.acme.com' });
  expect((await outsider.get('/v1/custom-hostnames/hidden.acme.com')).status).toBe(404);
  expect((await outsider.patch('/v1/custom-hostnames/hidden.acme.com')).status).toBe(404);
  expect((await outsider.delete('/v1/custom-hostnames/hidden.acme.com')).status).toBe(204);
  expect((await creator.get('/v1/custom-hostnames/hidden.acme.com')).status).toBe(200);
  expect((await creator.get('/v1/custom-hostnames/UPPER')).status).toBe(404);
  const data = await reader.graphql('query ($id: ID!) { site(id: $id) { customHostname { hostname } } }', {
    id: site.id,
  });
  expect(data.site.customHostname).toBeNull();
});

/** Requests a path of the server by another host. */
function showAt(
  host: string,
  path: string,
  method = 'GET',
): Promise<{ status: number | undefined; body: string; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { host } }, (response) => {
      const { statusCode: status, headers } = response;
      text(response).then((body) => resolve({ status, body, location: headers.location }), reject);
    });
    sent.on('error', reject).end();
  });
}

test('a site is served at the root of its verified hostname, and nothing else is', async () => {
  const unverified = await showAt(`not-${hostname}`, '/');
  expect(unverified.body).not.toContain('Guides');
  await leadHere();
  await creator.patch(at());
  const home = await showAt(hostname, '/');
  expect([home.status, home.body.includes('<title>')]).toEqual([200, true]);
  expect(home.body).toContain(`<link rel="canonical" href="https://${hostname}/">`);
  expect(home.body).toContain('action="/~gitbook/search"');
  expect((await showAt(`${hostname.toUpperCase()}:8443`, '/')).status).toBe(200);
  expect((await showAt(hostname, '/robots.txt')).body).toContain(`Sitemap: https://${hostname}/sitemap.xml`);
  for (const path of ['/v1/openapi.json', '/graphql', `/${organizationId}/${site.body.basename}/`]) {
    const { status, body } = await showAt(hostname, path);
    expect([path, status, body.includes('Page not found')]).toEqual([path, 404, true]);
  }
  for (const path of ['//evil.example/', '/.//evil.example/', '/\\evil.example/']) {
    const { location } = await showAt(hostname, `${path}?mode=dark`);
    expect([path, location]).toEqual([path, expect.stringMatching(/^\/(?![/\\])/)]);
  }
  expect((await showAt(hostname, '/graphql', 'POST')).status).toBe(405);
  await creator.post(`${site.path}/unpublish`);
  expect((await showAt(hostname, '/')).body).toContain('There is no published site at this address.');
  await creator.post(`${site.path}/publish`);
  await creator.delete(at());
  expect((await showAt(hostname, '/')).body).toContain('There is no published site at this address.');
});

test('a path of several slashes on a hostname is one of the site', async () => {
  await leadHere();
  await creator.patch(at());
  const home = await showAt(hostname, '/');
  for (const path of ['//', '//?x', '///', '//?mode', '//~gitbook/auth/logout', '//[', '//[?jwt_token=x', '//x:y@']) {
    const { status, body, location } = await showAt(hostname, path);
    const isRight = status === 404 || body === home.body || (status === 303 && location === '/');
    expect([path, status, isRight]).toEqual([path, status, true]);
  }
});

test('no redirect of a site leads from its hostname to a host that the path names', async () => {
  await leadHere();
  await creator.patch(at());
  const destination = (path: string) => ({ kind: 'external', url: `https://${hostname}/${path}` });
  const redirects = [
    { source: '/v1*', destination: destination('*') },
    { source: '/v2*', destination: destination(''), captureWildcard: true },
    { source: '/v3', destination: destination('/evil.example/x') },
  ];
  for (const body of redirects) expect((await creator.post(`${site.path}/redirects`, body)).status).toBe(201);
  for (const path of ['/v1/evil.example/x', '/v2/evil.example/x', '/v3'])
    expect([path, (await showAt(hostname, path)).location]).toEqual([path, '/evil.example/x']);
});

test('a claim excludes nobody until it is verified, and the record decides between several', async () => {
  const elsewhere = (await outsider.get('/v1/orgs')).body.items[0].id;
  const theirs = await siteWith(outsider, elsewhere, {
    title: 'Theirs',
    spaces: [await spaceTitled(outsider, elsewhere, 'T')],
  });
  expect((await outsider.patch(theirs.path, { hostname })).status).toBe(200);
  await outsider.post(`${theirs.path}/publish`);
  const second = await siteWith(creator, organizationId, { title: 'Second' });
  expect((await creator.patch(second.path, { hostname })).status).toBe(409);
  records.set(hostname, [(await outsider.get(at())).body.cname]);
  expect((await creator.get(at())).body.target.site).toBe(site.id);
  await Promise.all([creator.patch(at()), outsider.patch(at())]);
  expect((await outsider.get(at())).body).toMatchObject({ isActive: true, target: { site: theirs.id } });
  expect(await statusNow()).toEqual([false, 'dns_wrong_cname']);
  await creator.patch(site.path, { hostname: null });
  const late = await creator.patch(site.path, { hostname });
  expect([late.status, late.body.error.message]).toEqual([409, 'This hostname is verified for another site.']);
  // The record leads to another site before the claim that it proved is checked again.
  await outsider.patch(theirs.path, { hostname: `other.${hostname}` });
  expect((await creator.patch(site.path, { hostname })).status).toBe(200);
  await outsider.patch(theirs.path, { hostname: null });
  await leadHere();
  await creator.patch(at());
  expect(await statusNow()).toEqual([true, 'dns_passed']);
});

test('a claim in another organization does not stand before that of a member of both', async () => {
  // The older claim is of an organization in which the admin of the second one was only given a role.
  const elsewhere = (await outsider.get('/v1/orgs')).body.items[0].id;
  const theirs = await siteWith(outsider, elsewhere, { title: 'Between', spaces: [] });
  expect((await outsider.patch(theirs.path, { hostname })).status).toBe(200);
  for (const role of ['read', 'admin'] as const) {
    await grant(site.id, outsider.userId, role);
    await app.services.db
      .insertInto('membership')
      .values({ id: newId('member'), organizationId, userId: outsider.userId, role })
      .onConflict((conflict) => conflict.columns(['organizationId', 'userId']).doUpdateSet({ role }))
      .execute();
    records.set(hostname, [`${theirs.id.replace('_', '-')}.docs.stemma.dev`]);
    expect((await outsider.patch(at())).status).toBe(204);
    expect((await outsider.get(at())).body).toMatchObject({ isActive: true, target: { site: theirs.id } });
    records.delete(hostname);
    await outsider.patch(at());
  }
});
