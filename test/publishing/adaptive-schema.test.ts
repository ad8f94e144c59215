import { expect, test } from 'vitest';
import { world } from '../world.ts';
import { siteWith } from './arrange.ts';

const { admin, reader, editor, outsider, anonymous, organizationId } = await world();
const newSite = (title: string) => siteWith(admin, organizationId, { title });

const object = (properties: object, description = 'Nested.') => ({
  type: 'object',
  description,
  properties,
  additionalProperties: false,
});

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    isBeta: { type: 'boolean', description: 'Takes part in the beta.' },
    plan: { type: 'string', enum: ['free', 'pro "plus"'], description: 'Plan.' },
    seats: { type: 'number', description: 'Seats.' },
    company: object({
      'is-partner': { type: 'boolean', description: 'A partner.' },
      name: { type: 'string', description: 'N.' },
    }),
    groups: { type: 'array', description: 'Groups.', items: { type: 'string', description: 'Group.' } },
    unsigned: object({ dark: { type: 'boolean', description: 'Dark.' } }, 'Unsigned claims of the site visitor.'),
  },
  additionalProperties: false,
};

test('sets the schema, which suggests conditions, on both transports', async () => {
  const { id, path } = await newSite('Schema');
  const at = `${path}/adaptive-schema`;
  expect((await admin.get(at)).status).toBe(404);
  expect((await admin.get(`${at}/template-conditions`)).body).toEqual({ items: [] });
  const set = await admin.restAs('updateSiteAdaptiveSchema', 'PUT', at, { jsonSchema: schema });
  expect([set.status, set.body.object, set.body.jsonSchema]).toEqual([200, 'site-adaptive-schema', schema]);
  expect((await reader.restAs('getSiteAdaptiveSchema', 'GET', at)).body).toEqual(set.body);
  const { body } = await reader.restAs('listSiteAdaptiveTemplateConditions', 'GET', `${at}/template-conditions`);
  expect(body.items).toEqual([
    { description: 'Takes part in the beta.', condition: 'visitor.claims.isBeta == true' },
    { description: 'Plan.', condition: 'visitor.claims.plan == "free"' },
    { description: 'Plan.', condition: 'visitor.claims.plan == "pro \\"plus\\""' },
    { description: 'A partner.', condition: 'visitor.claims.company["is-partner"] == true' },
    { description: 'Dark.', condition: 'visitor.claims.unsigned.dark == true' },
  ]);
  for (const { condition } of body.items) {
    expect(
      (await admin.post(`${path}/external-links`, { title: 'Link', url: 'https://example.com', condition })).status,
    ).toBe(201);
  }
  const selection = 'adaptiveSchema { jsonSchema updatedAt templateConditions { description condition } }';
  const { site } = await reader.graphql(`query ($id: ID!) { site(id: $id) { ${selection} } }`, { id });
  expect(site.adaptiveSchema).toEqual({
    jsonSchema: schema,
    updatedAt: set.body.updatedAt,
    templateConditions: body.items,
  });
  const small = { type: 'object', properties: {}, additionalProperties: false };
  const changed = await admin.mutate(
    'updateSiteAdaptiveSchema',
    { siteId: id, jsonSchema: small },
    `site { ${selection} }`,
  );
  expect(changed.site.adaptiveSchema).toMatchObject({ jsonSchema: small, templateConditions: [] });
});

test.each([
  ['not an object', 'schema'],
  ['another type', { ...schema, type: 'array' }],
  ['no properties', { type: 'object', additionalProperties: false }],
  ['additional properties', { ...schema, additionalProperties: true }],
  ['an unknown member', { ...schema, $id: 'x' }],
  ['another draft', { ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema' }],
  ['a claim without a description', { ...schema, properties: { a: { type: 'boolean' } } }],
  ['a claim of an unknown type', { ...schema, properties: { a: { type: 'date', description: '' } } }],
  ['a claim with a pattern', { ...schema, properties: { a: { type: 'string', description: '', pattern: '(a+)+$' } } }],
  ['unsigned claims with another description', { ...schema, properties: { unsigned: object({}, 'Mine.') } }],
  ['an empty name', { ...schema, properties: { '': { type: 'boolean', description: '' } } }],
  ['the name __proto__', JSON.parse('{"type":"object","properties":{"__proto__":null},"additionalProperties":false}')],
  ['too many levels', { ...schema, properties: { a: nested(30) } }],
  ['too many characters', { ...schema, properties: { a: { type: 'string', description: 'x'.repeat(60_000) } } }],
])('rejects a schema with %s', async (_what, jsonSchema) => {
  const { path } = await newSite('Rejected');
  const { status, body } = await admin.put(`${path}/adaptive-schema`, { jsonSchema });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('jsonSchema')]);
  expect((await admin.get(`${path}/adaptive-schema`)).status).toBe(404);
});

function nested(levels: number): object {
  return levels === 0 ? { type: 'boolean', description: '' } : object({ a: nested(levels - 1) });
}

test('roles read it, and admins of the site set it', async () => {
  const { id, path } = await newSite('Guarded');
  const at = `${path}/adaptive-schema`;
  await admin.put(at, { jsonSchema: schema });
  await admin.post(`${path}/publish`);
  expect((await editor.put(at, { jsonSchema: schema })).status).toBe(403);
  for (const [client, status] of [
    [outsider, 404],
    [anonymous, 401],
  ] as const) {
    expect((await client.get(at)).status).toBe(status);
    expect((await client.get(`${at}/template-conditions`)).status).toBe(status);
    expect((await client.put(at, { jsonSchema: schema })).status).toBe(status);
  }
  await expect(
    editor.mutate('updateSiteAdaptiveSchema', { siteId: id, jsonSchema: schema }, 'site { id }'),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
