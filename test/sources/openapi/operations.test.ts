import { beforeAll, expect, test } from 'vitest';
import { world } from '../../world.ts';
import { pets, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1' });
const { organizationId, outsider, reader } = here;
const { all, put } = specifying(here);

let versionId: string;
beforeAll(async () => {
  const webhooks = { petBorn: { post: { tags: ['events'], deprecated: true, responses: {} } } };
  versionId = (await put('pets', { text: pets({ webhooks }) })).lastVersion;
});

const VERSION = '/pets/versions/latest';

test('operations are listed with filters, on both transports', async () => {
  const paths = async (filter: string) => {
    const { body } = await reader.get(`${all}${VERSION}/operations${filter}`);
    return body.items.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`);
  };
  expect(await paths('')).toEqual(['get /pets', 'get /pets/{petId}', 'post petBorn']);
  expect(await paths('?tag=pets')).toEqual(['get /pets', 'get /pets/{petId}']);
  expect(await paths('?method=POST')).toEqual(['post petBorn']);
  expect(await paths('?path=/pets')).toEqual(['get /pets']);
  expect(await paths('?text=GET%20A')).toEqual(['get /pets/{petId}']);
  expect(await paths('?text=%25')).toEqual([]);
  expect(await paths('?limit=1')).toEqual(['get /pets']);
  const { node } = await reader.graphql(
    `query ($id: ID!) { node(id: $id) { ... on OpenApiSpecVersion { operationsCount
      operations(first: 2, tag: "pets") { totalCount nodes { id method path operationId summary tags isDeprecated } }
      webhooks: operations(first: 5, text: "born") { nodes { kind isDeprecated object } }
      schemas(first: 5, text: "pets") { nodes { id name schema } } } } }`,
    { id: versionId },
  );
  expect(node.operations).toMatchObject({
    totalCount: 2,
    nodes: [
      { operationId: 'listPets', summary: 'List pets', tags: ['pets'], isDeprecated: false },
      { path: '/pets/{petId}' },
    ],
  });
  expect(node.webhooks.nodes).toMatchObject([{ kind: 'WEBHOOK', isDeprecated: true, object: { tags: ['events'] } }]);
  expect(node.schemas.nodes).toMatchObject([{ name: 'Pets', schema: { type: 'array', items: { type: 'object' } } }]);
  const { body } = await reader.get(`${all}${VERSION}/schemas?text=pets`);
  expect(body.items).toMatchObject([{ id: node.schemas.nodes[0].id, name: 'Pets' }]);
});

test('an operation is resolved, with what it inherits, up to circular references', async () => {
  const { body } = await reader.get(
    `${all}${VERSION}/operation?path=${encodeURIComponent('/pets/{petId}')}&method=GET`,
  );
  const schema = { type: 'object', required: ['name'] };
  expect(body).toMatchObject({ object: 'openapi-operation', operationId: 'getPet', deprecated: false });
  expect(body.operation).toMatchObject({
    parameters: [{ name: 'petId', in: 'path' }],
    servers: [{ url: 'https://pets.example/v1' }],
    responses: { 200: { content: { 'application/json': { schema } } } },
  });
  expect(body.operation.responses[200].content['application/json'].schema.properties.parent).toEqual({
    $ref: '#/components/schemas/Pet',
  });
  const { organization, node } = await reader.graphql(
    `query ($org: ID!, $id: ID!) {
      organization(id: $org) { openApiSpec(slug: "pets") { latestVersion {
        operation(path: "/pets/{petId}", method: "get") { id object } absent: operation(path: "/pets", method: "put") { id } } } }
      node(id: $id) { ... on OpenApiOperation { path } } }`,
    { org: organizationId, id: body.id },
  );
  const { latestVersion } = organization.openApiSpec;
  expect(latestVersion).toEqual({ operation: { id: body.id, object: body.operation }, absent: null });
  expect(node).toEqual({ path: '/pets/{petId}' });
});

test('absent operations are 404, malformed filters 400, and outsiders learn nothing', async () => {
  expect((await reader.get(`${all}${VERSION}/operation?path=/pets&method=put`)).status).toBe(404);
  expect((await reader.get(`${all}${VERSION}/operation?path=/pets`)).status).toBe(400);
  expect((await reader.get(`${all}${VERSION}/operations?text=${'x'.repeat(201)}`)).status).toBe(400);
  for (const path of ['operations', 'schemas', 'operation?path=/pets&method=get']) {
    expect([path, (await outsider.get(`${all}${VERSION}/${path}`)).status]).toEqual([path, 404]);
  }
  const { items } = (await reader.get(`${all}${VERSION}/operations`)).body;
  expect(await outsider.graphql(`{ node(id: "${items[0].id}") { id } }`)).toEqual({ node: null });
});

/** A specification whose one operation refers to a schema. */
const referringTo = (name: string, schemas: object) =>
  pets({
    paths: {
      '/a': {
        get: {
          responses: {
            200: {
              description: 'A.',
              content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
            },
          },
        },
      },
    },
    components: { schemas },
  });

const operationOf = (slug: string) => reader.get(`${all}/${slug}/versions/latest/operation?path=/a&method=GET`);

test('an operation with a long chain of references is shown, and those that are too deep stay', async () => {
  const nested = (levels: number, inside: object): object =>
    levels === 0 ? inside : { items: nested(levels - 1, inside) };
  const schemas = Array.from({ length: 300 }, (_, at) => [
    `S${at}`,
    { title: `T${at}`, ...nested(60, { $ref: `#/components/schemas/S${at + 1}` }) },
  ]);
  await put('chain', { text: referringTo('S0', { ...Object.fromEntries(schemas), S300: {} }) });
  const { status, body } = await operationOf('chain');
  expect(status).toBe(200);
  const text = JSON.stringify(body.operation);
  expect(text).toContain('"title":"T2"');
  expect(text).toMatch(/"\$ref":"#\/components\/schemas\/S\d"/);
  const { body: listed } = await reader.get(`${all}/chain/versions/latest/schemas?text=S0`);
  expect(listed.items).toMatchObject([{ name: 'S0' }]);
});

test('a specification is processed whose references are too long to be resolved', async () => {
  const name = String.fromCodePoint(...Array.from({ length: 950 }, (_, at) => 0x4e00 + ((at * 7_919) % 20_000)));
  const done = await put('long-names', { text: referringTo(name, { [name]: { type: 'string' } }) });
  expect(done).not.toHaveProperty('lastProcessErrorCode');
  expect((await operationOf('long-names')).body.operation.responses[200].content['application/json'].schema).toEqual({
    $ref: `#/components/schemas/${name}`,
  });
});
