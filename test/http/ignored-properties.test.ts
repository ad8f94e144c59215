import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bodySchemaOf, ignoredProperties } from '../../src/platform/http/ignored-properties.ts';
import { routes } from '../../src/routes.ts';
import { world } from '../world.ts';

const { admin, outsider, organizationId } = await world();
const STRICT = { prefer: 'handling=strict' };
const create = (body: object, headers?: Record<string, string>) => admin.send('POST', spaces, body, headers);
const spaces = `/v1/orgs/${organizationId}/spaces`;
const told = ({ headers }: Awaited<ReturnType<typeof create>>) => headers.get('stemma-ignored-properties');

test('an unknown property is ignored and named in a header that pages of other origins can read', async () => {
  const made = await create({ titel: 'x', title: 'Space' });
  expect([made.status, made.body.title, told(made)]).toEqual([201, 'Space', 'titel']);
  expect(made.headers.get('access-control-expose-headers')).toContain('Stemma-Ignored-Properties');
  expect(told(await create({ title: 'Space' }))).toBeNull();
});

test('nested properties have paths, names are percent-encoded, and a known one in the path has no effect', async () => {
  const { body: space } = await create({ title: 'Space' });
  const changes = [{ operation: 'insert_page', type: 'document', title: 'A', 'größe, x': 1 }];
  const edited = await admin.post(`/v1/spaces/${space.id}/content`, { changes, spaceId: 'space_other' });
  expect([edited.status, told(edited)]).toEqual([200, 'changes.0.gr%C3%B6%C3%9Fe%2C%20x, spaceId']);
});

test('at most ten names and 500 bytes are sent', async () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, 1]));
  expect(told(await create(many))?.split(', ')).toHaveLength(10);
  const long = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}`.repeat(60), 1]));
  expect(told(await create(long))?.length).toBeLessThanOrEqual(500);
  expect(told(await create({ ['x'.repeat(1_000)]: 1 }))).toBe('...');
});

test('with handling=strict, unknown properties are 400 and nothing is written', async () => {
  const before = (await admin.get(spaces)).body.count;
  const refused = await create({ titel: 'x' }, STRICT);
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({
    message: 'Unknown properties: titel.',
    issues: [{ path: ['titel'], message: expect.stringMatching(/Remove it/) }],
  });
  expect((await admin.get(spaces)).body.count).toBe(before);
  const accepted = await create({ title: 'x' }, { prefer: 'respond-async, handling=strict' });
  expect([accepted.status, accepted.headers.get('preference-applied')]).toEqual([201, 'handling=strict']);
  expect((await create({ titel: 'x' }, { prefer: 'handling=lenient' })).status).toBe(201);
});

test('an outsider learns nothing about the input by handling=strict', async () => {
  expect((await outsider.send('POST', spaces, { titel: 'x' }, STRICT)).status).toBe(404);
});

test('the bodies of all recorded examples have known properties only', () => {
  const recorded = new URL('../../src/openapi-examples.json', import.meta.url);
  const { operations } = JSON.parse(readFileSync(recorded, 'utf8')) as {
    operations: Record<string, { request?: unknown }>;
  };
  const found = routes.flatMap(({ path, operationId, operation, about }) => {
    const body = operations[operationId]?.request;
    if (!operation || typeof body !== 'object' || body === null || Array.isArray(body)) return [];
    return ignoredProperties(bodySchemaOf({ path, operation, about }), body).map(
      (at) => `${operationId}: ${at.join('.')}`,
    );
  });
  expect(found).toEqual([]);
});
