import { beforeAll, expect, test } from 'vitest';
import { world } from '../../world.ts';
import { pets, petsWith, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1' });
const { admin, editor, organizationId, outsider, reader } = here;
const { put } = specifying(here);

const source = (spec: string, props: Record<string, unknown>) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
});

async function spaceWith(...changes: unknown[]) {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }');
  const { pageIds } = await editor.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
  return { spaceId: space.id as string, pageIds: pageIds as string[] };
}

const found = async (spaceId: string, query: string, as = reader) =>
  (await as.get(`/v1/spaces/${spaceId}/search?query=${encodeURIComponent(query)}`)).body.items;
const titles = async (spaceId: string, query: string) =>
  (await found(spaceId, query)).map(({ title }: { title: string }) => title);

let docs: Awaited<ReturnType<typeof spaceWith>>;
beforeAll(async () => {
  const paths = {
    '/pets': {
      get: { ...petsWith().paths['/pets'].get, parameters: [{ name: 'pageToken', in: 'query', schema: {} }] },
      post: { operationId: 'adoptPet', summary: 'Adopt a pet', tags: ['pets'], responses: {} },
    },
  };
  await put('sought', { text: pets({ paths }) });
  docs = await spaceWith(
    { insertPage: { kind: 'COMPUTED', title: 'Reference', computed: source('sought', { grouping: 'by-operation' }) } },
    {
      insertPage: {
        title: 'Guide',
        document: {
          markdown: '{% openapi-operation spec="sought" path="/pets" method="post" %}\n{% endopenapi-operation %}',
        },
      },
    },
  );
});

test('computed pages are found by titles, operation ids, paths and parameters', async () => {
  const [best] = await found(docs.spaceId, 'adopt a pet');
  expect(best).toMatchObject({ title: 'Adopt a pet', path: 'reference/pets/adoptpet' });
  expect(best.ancestors.map(({ title }: { title: string }) => title)).toEqual(['Reference', 'pets']);
  expect((await reader.get(`/v1/spaces/${docs.spaceId}/content/page/${best.id}`)).body).toMatchObject({ id: best.id });
  expect((await titles(docs.spaceId, 'listPets'))[0]).toBe('List pets');
  expect((await titles(docs.spaceId, 'pageToken'))[0]).toBe('List pets');
  expect(await titles(docs.spaceId, 'adopting')).toContain('Adopt a pet');
  expect(await titles(docs.spaceId, 'adpot')).toContain('Adopt a pet');
  expect(await titles(docs.spaceId, 'reference list')).toContain('List pets');
  expect(await titles(docs.spaceId, 'unicorns')).toEqual([]);
});

test('the graph leads from a result to the computed page', async () => {
  const { space } = await reader.graphql(
    `query ($id: ID!) { space(id: $id) { search(query: "listPets", first: 1) { nodes {
      title page { id title path } sections { title anchor body } } } } }`,
    { id: docs.spaceId },
  );
  expect(space.search.nodes).toEqual([
    {
      title: 'List pets',
      page: { id: expect.stringMatching(/^page_/), title: 'List pets', path: 'reference/pets/listpets' },
      sections: [{ title: 'List pets', anchor: expect.any(String), body: expect.stringContaining('GET /pets') }],
    },
  ]);
});

test('written pages are found by what their OpenAPI blocks show', async () => {
  const hits = await found(docs.spaceId, 'adoptPet');
  const guide = hits.find(({ title }: { title: string }) => title === 'Guide');
  expect(guide).toMatchObject({ id: docs.pageIds[1], sections: [{ title: 'Adopt a pet' }] });
});

test('results follow the specification', async () => {
  const one = await spaceWith({
    insertPage: { kind: 'COMPUTED', title: 'Ref', computed: source('followed', { grouping: 'by-operation' }) },
  });
  await put('followed', { text: pets() });
  expect((await titles(one.spaceId, 'getPet'))[0]).toBe('Get a pet');
  await put('followed', { text: pets({ paths: { '/zoo': { get: { operationId: 'visitZoo', responses: {} } } } }) });
  expect(await titles(one.spaceId, 'getPet')).toEqual([]);
  expect(await titles(one.spaceId, 'visitZoo')).toEqual(['GET /zoo']);
});

test('the organization finds computed pages in spaces that the caller sees, and nobody else does', async () => {
  const search = `/v1/orgs/${organizationId}/search?query=${encodeURIComponent('adoptPet')}`;
  const spaces = (await reader.get(search)).body.items;
  const space = spaces.find(({ id }: { id: string }) => id === docs.spaceId);
  expect(space.pages.map(({ title }: { title: string }) => title)).toContain('Adopt a pet');
  expect((await outsider.get(search)).status).toBe(404);
  expect((await outsider.get(`/v1/spaces/${docs.spaceId}/search?query=adoptPet`)).status).toBe(404);
});
