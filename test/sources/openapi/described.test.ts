import { beforeAll, expect, test } from 'vitest';
import { world } from '../../world.ts';
import { pets, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1' });
const { admin, editor, organizationId, reader } = here;
const { put } = specifying(here);

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };

/** A base whose variants only its discriminator names, as generators write inheritance. */
const schemas = {
  Pet: {
    type: 'object',
    required: ['kind'],
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
    properties: { kind: text, name: { ...text, examples: ['Mittens', 'Whiskers'] } },
  },
  Cat: {
    description: 'Purrs.',
    allOf: [ref('Pet'), { required: ['lives'], properties: { lives: { type: 'integer', examples: [9] } } }],
  },
  Dog: {
    allOf: [
      ref('Pet'),
      {
        properties: {
          breed: { ...text, examples: ['Leonberger'] },
          owner: { oneOf: [ref('Owner'), { type: 'null' }] },
        },
      },
    ],
  },
  Owner: { type: 'object', properties: { email: text } },
};

const paths = {
  '/pets': {
    get: {
      operationId: 'listPets',
      tags: ['pets'],
      parameters: [
        { name: 'sort', in: 'query', example: 'ascending', schema: text },
        { name: 'owner', in: 'query', examples: { one: { value: 'margaret' } }, schema: text },
        { name: 'color', in: 'query', schema: { ...text, example: 'tortoiseshell' } },
      ],
      responses: { 200: { description: 'ok', content: { 'application/json': { schema: ref('Pet') } } } },
    },
  },
};

let spaceId: string;
beforeAll(async () => {
  await put('described', { text: pets({ paths, components: { schemas } }) });
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }');
  spaceId = space.id;
  const dependencies = { spec: { ref: { kind: 'openapi', spec: 'described' } } };
  const computed = { type: 'builtin:openapi', props: { models: true }, dependencies };
  const changes = [{ insertPage: { kind: 'COMPUTED', title: 'API', computed } }];
  await editor.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
});

async function rowsOf(path: string) {
  const url = `/v1/spaces/${spaceId}/content/path/${encodeURIComponent(path)}?format=markdown&dereferenced=true`;
  const { markdown } = (await reader.get(url)).body as { markdown: string };
  const rows = markdown.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('an operation shows the variants that a discriminator maps, and examples', async () => {
  expect(await rowsOf('api/pets')).toEqual([
    ['`sort`', '`string`', 'no', 'Example: `ascending`'],
    ['`owner`', '`string`', 'no', 'Example: `margaret`'],
    ['`color`', '`string`', 'no', 'Example: `tortoiseshell`'],
    ['`kind`', '`string`', 'yes', ''],
    ['`name`', '`string`', 'no', 'Examples: `Mittens`, `Whiskers`'],
    ['`(Cat)`', '`object`', 'no', 'If kind is cat. Purrs.'],
    ['`(Cat).lives`', '`integer`', 'yes', 'Example: `9`'],
    ['`(Dog)`', '`object`', 'no', 'If kind is dog.'],
    ['`(Dog).breed`', '`string`', 'no', 'Example: `Leonberger`'],
    ['`(Dog).owner`', '`Owner or null`', 'no', ''],
    ['`(Dog).owner.email`', '`string`', 'no', ''],
  ]);
});

test('an operation is found by examples of its parameters, properties and variants', async () => {
  for (const example of ['ascending', 'margaret', 'tortoiseshell', 'Whiskers', 'Leonberger']) {
    const { body } = await reader.get(`/v1/spaces/${spaceId}/search?query=${example}`);
    expect([example, body.items[0]?.title]).toEqual([example, 'pets']);
  }
});

test('the object of the operation stays as the specification has it', async () => {
  const url = `/v1/orgs/${organizationId}/openapi/described/versions/latest/operation?path=${encodeURIComponent('/pets')}&method=get`;
  const { operation } = (await reader.get(url)).body;
  const { schema } = operation.responses[200].content['application/json'];
  expect(Object.keys(schema)).toEqual(Object.keys(schemas.Pet));
});

test('descriptions show no other content of the organization, and nothing that depends on the reader', async () => {
  await put('internal', { text: pets({ info: { title: 'Internal', version: '1', description: 'Zanzibar' } }) });
  const blocks = [
    '{% openapi-operation spec="internal" path="/pets" method="get" %}',
    '{% openapi-schemas spec="internal" schemas="Pet" %}',
    '{% if visitor.claims.isBeta %}\nZanzibar for some\n{% endif %}',
  ];
  const description = `Of a partner.\n\n${blocks.join('\n\n')}\n`;
  await put('partner', {
    text: pets({
      info: { title: 'Partner', version: '1', description },
      paths: { '/a': { get: { description, responses: {} } } },
    }),
  });
  const markdown = await pageOf('partner', {}, 'partner');
  expect(markdown).toContain('Of a partner.');
  expect(markdown).not.toMatch(/internal|Zanzibar|openapi-schemas|\{% if/);
});

test('of very many schemas, the first are described, and the others counted', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 15 }, (_, index) => [`property${index}`, { ...text, description: 'A text that says much.' }]),
  );
  const many = Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [`Model${index}`, { type: 'object', properties }]),
  );
  await put('many', { text: pets({ paths: {}, components: { schemas: many } }) });
  const markdown = await pageOf('many', { models: true }, 'many/models');
  expect(markdown).toContain('## Model0');
  expect(markdown).toContain('`property14`');
  const shown = markdown.match(/## Model/g)?.length ?? 0;
  expect(markdown).toContain(`${150 - shown} more in the specification.`);
});

/** A page that is made of a specification, as readers see it. */
async function pageOf(spec: string, props: Record<string, unknown>, path: string): Promise<string> {
  const computed = { type: 'builtin:openapi', props, dependencies: { spec: { ref: { kind: 'openapi', spec } } } };
  const changes = [{ insertPage: { kind: 'COMPUTED', title: spec, computed } }];
  await editor.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  const url = `/v1/spaces/${spaceId}/content/path/${encodeURIComponent(path)}?format=markdown&dereferenced=true`;
  return (await reader.get(url)).body.markdown;
}
