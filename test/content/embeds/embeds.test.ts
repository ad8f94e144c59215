import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { Client } from '../../client.ts';
import { serve } from '../../platform/outbound-server.ts';
import { world } from '../../world.ts';

const { app, admin, reader, outsider, anonymous, organizationId, advance } = await world({
  ALLOW_PRIVATE_NETWORK: '1',
});
const guarded = await world();

let spaceId: string;

beforeAll(async () => {
  spaceId = (await admin.mutate('createSpace', { organizationId, title: 'Docs' }, 'space { id }')).space.id;
});

const embed = (url: string, by = reader) => by.get(`/v1/urls/embed?url=${encodeURIComponent(url)}`);

/** A page that declares an oEmbed endpoint. */
const offering = (html: string) =>
  serve((request, response) => {
    if (request.url?.startsWith('/oembed')) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ type: 'video', title: 'From oEmbed', provider_name: 'Films', html }));
      return;
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      '<title>A film</title><link rel="icon" href="/icon.png"><link rel="alternate" type="application/json+oembed" href="/oembed?u=1"><body>',
    );
  });

test('is a card for a page with metadata', async () => {
  const page = await serve((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<meta property="og:title" content="Hello"><meta property="og:site_name" content="Here">');
  });
  const { status, body } = await embed(`${page.url}/a`);
  expect([status, body]).toEqual([200, { type: 'link', title: 'Hello', site: 'Here' }]);
  const inSpace = await reader.get(`/v1/spaces/${spaceId}/embed?url=${encodeURIComponent(`${page.url}/a`)}`);
  expect(inSpace.body).toEqual(body);
  expect(page.requests).toHaveLength(1);
});

test('is requested again after an hour', async () => {
  const page = await serve((_request, response) => response.end('nothing'));
  await embed(page.url);
  await Promise.all([embed(page.url), embed(page.url)]);
  expect(page.requests).toHaveLength(1);
  advance(3_601_000);
  await Promise.all([embed(page.url), embed(page.url), embed(page.url)]);
  expect(page.requests).toHaveLength(2);
});

test('is a frame if the service behind the page offers one', async () => {
  const page = await offering(
    '<iframe src="https://films.example/e/1" width="640" height="360" onload="x()"></iframe>',
  );
  const { body } = await embed(page.url);
  expect(body).toMatchObject({ type: 'rich', title: 'A film', site: 'Films', icon: `${page.url}/icon.png` });
  expect(body.html).toMatch(
    /^<iframe src="https:\/\/films\.example\/e\/1" width="640" height="360" sandbox="[a-z- ]+"/,
  );
});

test('does not return HTML of other services', async () => {
  const page = await offering('<blockquote>Hi</blockquote><script>x()</script>');
  expect((await embed(page.url)).body).toMatchObject({ type: 'link', title: 'A film', site: 'Films' });
});

test.each([
  ['a page that is not there', 404, 'text/html', '<title>Not found</title>'],
  ['a file', 200, 'application/pdf', '%PDF'],
  ['nothing', 200, 'text/html', ''],
])('is a card made from the URL for %s', async (_what, status, type, text) => {
  const page = await serve((_request, response) => response.writeHead(status, { 'content-type': type }).end(text));
  const host = new URL(page.url).host;
  expect((await embed(`${page.url}/some/thing`)).body).toEqual({
    type: 'link',
    title: `${host}/some/thing`,
    site: '127.0.0.1',
  });
});

test('is a card made from the URL if there is no response', async () => {
  expect((await embed('http://127.0.0.1:9/x')).body).toMatchObject({ type: 'link', title: '127.0.0.1:9/x' });
});

test('only reads the start of a page', async () => {
  const page = await serve((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.write('<title>Endless</title>');
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  });
  expect((await embed(page.url)).body).toMatchObject({ type: 'link', title: 'Endless' });
});

test('rejects URLs that are not public, even after a redirect', async () => {
  for (const url of ['', 'nothing', 'file:///etc/passwd', 'ftp://a.example/', 'javascript:alert(1)']) {
    expect([url, (await embed(url)).status]).toEqual([url, 400]);
  }
  expect((await reader.get('/v1/urls/embed')).status).toBe(400);
  for (const url of [
    'http://127.0.0.1:1/',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
  ]) {
    expect([url, (await embed(url, guarded.reader)).status]).toEqual([url, 400]);
  }
});

test('requires a token and, in a space, access to it', async () => {
  const url = encodeURIComponent('https://a.example/');
  expect((await embed('https://a.example/', anonymous)).status).toBe(401);
  expect((await outsider.get(`/v1/spaces/${spaceId}/embed?url=${url}`)).status).toBe(404);
  expect((await outsider.get(`/v1/spaces/${spaceId}/embed?url=nothing`)).status).toBe(404);
  expect((await anonymous.get(`/v1/spaces/${spaceId}/embed?url=${url}`)).status).toBe(401);
  expect((await reader.get(`/v1/spaces/${spaceId}/embed?url=nothing`)).status).toBe(400);
});

test('requires a token even in a public space', async () => {
  const page = await serve((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>Fetched</title>');
  });
  const open = (await admin.mutate('createSpace', { organizationId, title: 'Open' }, 'space { id }')).space.id;
  const site = { id: newId('site'), organizationId, title: 'Help', isPublished: true };
  await app.services.db.insertInto('site').values(site).execute();
  const link = { id: newId('sitespace'), organizationId, siteId: site.id, spaceId: open };
  await app.services.db
    .insertInto('site_space')
    .values({ ...link, path: 'help', rank: 'a' })
    .execute();
  expect((await anonymous.get(`/v1/spaces/${open}`)).status).toBe(200);
  for (const path of ['/v1/urls/embed', `/v1/spaces/${open}/embed`]) {
    for (const url of [page.url, 'nothing', '']) {
      expect((await anonymous.get(`${path}?url=${encodeURIComponent(url)}`)).status).toBe(401);
    }
  }
  expect(page.requests).toHaveLength(0);

  // A public site gives its token to anybody.
  const { published } = (await admin.get(`/v1/spaces/${open}`)).body.urls;
  const { body: resolved } = await anonymous.get(`/v1/urls/published?url=${encodeURIComponent(published)}`);
  const visitor = new Client(anonymous.url, resolved.apiToken);
  const ask = () => visitor.get(`/v1/spaces/${open}/embed?url=${encodeURIComponent(`${page.url}/a`)}`);
  const { host, hostname } = new URL(page.url);
  expect(await ask()).toMatchObject({ status: 200, body: { type: 'link', title: host, site: hostname } });
  expect(page.requests).toHaveLength(0);
  // What a member has asked for is remembered for all.
  await embed(`${page.url}/a`);
  expect((await ask()).body.title).toBe('Fetched');
  expect(page.requests).toHaveLength(1);
});
