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

test('the reference is public, and only loads from its own origin', async () => {
  const { status, headers, body } = await anonymous.get('/docs');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toMatch(/script-src 'sha256-[^ ]+';/);
  expect(policy).not.toMatch(/https?:|\*/);
  const [head] = body.split('<script>');
  expect(head).not.toMatch(/\b(?:src|href)="https?:/);
});

test('an invalid token does not prevent access to either', async () => {
  for (const path of ['/v1/openapi.json', '/docs']) {
    const { status } = await fetch(`${url}${path}`, { headers: { authorization: 'Bearer stemma_unknown' } });
    expect([path, status]).toEqual([path, 200]);
  }
});
