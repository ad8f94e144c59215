import { expect, test } from 'vitest';
import { world } from '../world.ts';

const { anonymous, url, app } = await world();

test('the OpenAPI description is public, has the public URL, and supports conditional requests', async () => {
  const { status, headers, body } = await anonymous.get('/v1/openapi.json');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(body).toMatchObject({ openapi: '3.1.1', servers: [{ url: app.services.config.publicUrl }] });
  const etag = headers.get('etag') ?? '';
  const again = await anonymous.send('GET', '/v1/openapi.json', undefined, { 'if-none-match': etag });
  expect([again.status, again.body]).toEqual([304, '']);
});

test('the published description allows additional properties in responses, at any depth', async () => {
  const { body } = await anonymous.get('/v1/openapi.json');
  // An example of a schema of claims is one itself.
  const schemas = JSON.stringify(body, (name, value) => (/^examples?$/.test(name) ? undefined : value));
  expect(schemas).not.toContain('"additionalProperties":false');
});

const policyOf = (headers: Headers) => headers.get('content-security-policy') ?? '';

test('the reference is public, and loads and runs nothing', async () => {
  const { status, headers, body } = await anonymous.get('/docs');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(policyOf(headers)).toContain("default-src 'none'; style-src 'sha256-");
  expect(policyOf(headers)).not.toMatch(/script-src|https?:|\*/);
  expect(body).not.toMatch(/<script|\bsrc=/);
  expect(Buffer.byteLength(body)).toBeLessThan(200_000);
});

const linksIn = (html: string) => [...html.matchAll(/ href="(\/docs[^"#]*)/g)].map(([, path = '']) => path);

test('every operation and every schema has a page that the overview links to', async () => {
  const { body: document } = await anonymous.get('/v1/openapi.json');
  const paths = Object.values<Record<string, { operationId: string }>>(document.paths);
  const ids = paths.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  const names = Object.keys(document.components.schemas);
  const { body: overview } = await anonymous.get('/docs');
  const wanted = [...ids.map((id) => `/docs/${id}`), ...names.map((name) => `/docs/schemas/${name}`)];
  expect(new Set(linksIn(overview)).difference(new Set(['/docs']))).toEqual(new Set(wanted));
  const some = wanted.filter((_, index) => index % 20 === 0);
  for (const path of some) expect([path, (await anonymous.get(path)).status]).toEqual([path, 200]);
});

test('the page of an operation shows its parameters, body, responses and a command', async () => {
  const { body, headers } = await anonymous.get('/docs/updateSpaceById');
  for (const text of ['Update space by ID', 'PATCH ', '/v1/spaces/{spaceId}', 'If-Match', 'Request body', 'editMode'])
    expect(body).toContain(text);
  expect(body).toMatch(/curl -X PATCH &#39;|curl -X PATCH '/);
  expect(body).toContain('aria-current="page"');
  expect(policyOf(headers)).toContain("form-action 'self'");
  expect((await anonymous.get('/docs/nothing')).status).toBe(404);
  for (const name of ['nothing', 'constructor', '__proto__'])
    expect([name, (await anonymous.get(`/docs/schemas/${name}`)).status]).toEqual([name, 404]);
});

test('a search finds operations by words of their names, paths, descriptions and parameters', async () => {
  const found = async (query: string) => {
    const { body } = await anonymous.get(`/docs?q=${encodeURIComponent(query)}`);
    const [, main = ''] = /<main>(.*?)<\/main>/s.exec(body) ?? [];
    return linksIn(main);
  };
  expect((await found('merge change request'))[0]).toBe('/docs/mergeChangeRequest');
  expect(await found('/v1/user/tokens')).toContain('/docs/createApiToken');
  expect(await found('LISTMEMBERS')).toContain('/docs/listMembersInOrganizationById');
  expect(await found('unicorns')).toEqual([]);
  const { body } = await anonymous.get(`/docs?q=${encodeURIComponent('"><b>x')}`);
  expect(body).not.toContain('<b>x');
});

test('an invalid token does not prevent access to either', async () => {
  for (const path of ['/v1/openapi.json', '/docs', '/docs/getSpaceById']) {
    const { status } = await fetch(`${url}${path}`, { headers: { authorization: 'Bearer stemma_unknown' } });
    expect([path, status]).toEqual([path, 200]);
  }
});
