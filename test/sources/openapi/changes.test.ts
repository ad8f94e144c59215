import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { pets, petsWith, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1' });
const { eventsBy, outsider, reader } = here;
const { all, put } = specifying(here);

const before = petsWith({ security: [{}, { key: [] }] });
const after = petsWith({
  security: [{ key: [] }],
  paths: {
    '/pets': {
      get: {
        ...before.paths['/pets'].get,
        parameters: [
          { name: 'limit', in: 'query', required: true, schema: { type: 'string', maxLength: 5 } },
          { name: 'owner', in: 'query', required: true, schema: { type: 'string' } },
          { name: 'sort', in: 'query', schema: { type: 'string' } },
        ],
        responses: { 404: { description: 'None.' } },
      },
      post: { operationId: 'addPet', responses: {} },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: [],
        properties: { age: { type: 'integer' }, parent: { $ref: '#/components/schemas/Pet' } },
      },
      Owner: { type: 'object' },
    },
  },
});

test('a version lists what changed since the one before, and what of it is breaking', async () => {
  await put('pets', { text: JSON.stringify(before) });
  const first = await reader.get(`${all}/pets/versions/latest/changes`);
  expect(first.body).toMatchObject({ items: [], count: 0 });
  const { lastVersion } = await put('pets', { text: JSON.stringify(after) });
  const { body } = await reader.get(`${all}/pets/versions/latest/changes`);
  const shown = body.items.map(({ subject, kind, name, breaking }: Record<string, unknown>) => [
    subject,
    kind,
    name,
    breaking,
  ]);
  expect(shown).toEqual([
    ['operation', 'changed', 'GET /pets', true],
    ['operation', 'removed', 'GET /pets/{petId}', true],
    ['schema', 'changed', 'Pet', true],
    ['operation', 'added', 'POST /pets', false],
    ['schema', 'removed', 'Pets', false],
    ['schema', 'added', 'Owner', false],
  ]);
  const reasons = body.items[0].reasons.map(({ message, breaking }: Record<string, unknown>) => [message, breaking]);
  expect(reasons).toEqual([
    ['query limit: parameter is now required', true],
    ['query limit: type changed from integer to string', true],
    ['query owner: new required parameter', true],
    ['response 200 removed', true],
    ['security changed', true],
    ['query sort: parameter added', false],
    ['response 404 added', false],
  ]);
  expect(body.items[2].reasons).toContainEqual({ message: 'name: property removed (in responses)', breaking: true });
  expect((await reader.get(`${all}/pets/versions/latest/changes?breaking=false&subject=schema`)).body.count).toBe(2);
  const changelog = await reader.get(`${all}/pets/versions/${lastVersion}/changelog`);
  expect(changelog.body.markdown).toMatch(
    /^## Breaking changes\n\n\* operation `GET \/pets` changed\n {2}\* \*\*query limit/,
  );
  const { node } = await reader.graphql(
    `query ($id: ID!) { node(id: $id) { ... on OpenApiSpecVersion { changesCount breakingChangesCount changelog
      changes(first: 1, breaking: true) { totalCount nodes { subject kind name isBreaking reasons { message isBreaking } } } } } }`,
    { id: lastVersion },
  );
  expect(node).toMatchObject({ changesCount: 6, breakingChangesCount: 3, changelog: changelog.body.markdown });
  expect(node.changes).toMatchObject({
    totalCount: 3,
    nodes: [{ subject: 'OPERATION', kind: 'CHANGED', name: 'GET /pets' }],
  });
  expect((await outsider.get(`${all}/pets/versions/latest/changes`)).status).toBe(404);
});

test('the event of a new version has the counts', async () => {
  await put('told', { text: pets() });
  const { lastVersion } = await put('told', { text: pets({ paths: {} }) });
  const recorded = (await eventsBy()).map(({ ids }) => ids);
  expect(recorded).toContainEqual(
    expect.objectContaining({ openApiSpecVersionId: lastVersion, changesCount: '2', breakingChangesCount: '2' }),
  );
});

test('equal specifications in another form have no changes', async () => {
  await put('same', { text: pets() });
  await put('same', { text: JSON.stringify(petsWith(), null, 2) });
  const { body } = await reader.get(`${all}/same/versions/latest`);
  expect(body).toMatchObject({ changesCount: 0, breakingChangesCount: 0 });
  expect((await reader.get(`${all}/same/versions/latest/changelog`)).body).toEqual({ markdown: 'Nothing changed.\n' });
});

test('any two versions of a specification are compared', async () => {
  const [one, two, three] = [before, after, petsWith({ paths: after.paths })].map((each) => JSON.stringify(each));
  const ids: string[] = [];
  for (const text of [one, two, three]) ids.push((await put('compared', { text: text ?? '' })).lastVersion);
  const [first, second, third] = ids;
  const changes = async (query: string, version = third) =>
    (await reader.get(`${all}/compared/versions/${version}/changes?${query}`)).body.items;
  const neighbours = await reader.get(`${all}/compared/versions/${second}/changes`);
  expect(await changes(`base=${first}`, second)).toEqual(neighbours.body.items);
  const across = await changes(`base=${first}`);
  expect(across.map(({ name }: { name: string }) => name)).toContain('GET /pets/{petId}');
  expect(await changes(`base=${third}`)).toEqual([]);
  expect(await changes(`base=${first}&breaking=false&subject=operation`)).toMatchObject([{ name: 'POST /pets' }]);
  const page = (await reader.get(`${all}/compared/versions/${third}/changes?base=${first}&limit=1`)).body;
  expect(page.items).toEqual(across.slice(0, 1));
  expect(await changes(`base=${first}&limit=50&page=${encodeURIComponent(page.next.page)}`)).toEqual(across.slice(1));
  const changelog = await reader.get(`${all}/compared/versions/${first}/changelog?base=${second}`);
  expect(changelog.body.markdown).toContain('`GET /pets/{petId}` added');
  const { node } = await reader.graphql(
    `query ($id: ID!, $base: ID!) { node(id: $id) { ... on OpenApiSpecVersion { changelog(baseVersionId: $base)
      changes(first: 50, baseVersionId: $base) { totalCount nodes { name isBreaking } } } } }`,
    { id: third, base: first },
  );
  expect(node.changes.totalCount).toBe(across.length);
  expect(node.changelog).toContain('`GET /pets/{petId}` removed');
});

test('a version cannot be compared with a version of another specification', async () => {
  const { lastVersion } = await put('mine', { text: pets() });
  const { lastVersion: other } = await put('other', { text: pets() });
  for (const base of [other, 'openapiversion_00000000000000000000000000', 'nothing'])
    for (const list of ['changes', 'changelog'])
      expect((await reader.get(`${all}/mine/versions/${lastVersion}/${list}?base=${base}`)).status).toBe(400);
  expect((await outsider.get(`${all}/mine/versions/${lastVersion}/changes?base=${lastVersion}`)).status).toBe(404);
});

test('alternatives are recognized wherever they are', async () => {
  const kinds = (...names: string[]) => ({
    Rule: { oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) },
    ...Object.fromEntries(names.map((name) => [name, { type: 'object', properties: { [name]: { type: 'string' } } }])),
  });
  const responses = {
    200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/Rule' } } } },
  };
  const paths = { '/rules': { get: { responses } } };
  const reasons = async (...names: string[]) => {
    await put('alternatives', { text: pets({ paths, components: { schemas: kinds(...names) } }) });
    const { body } = await reader.get(`${all}/alternatives/versions/latest/changes?subject=operation`);
    return body.items.flatMap((item: { reasons: { message: string }[] }) => item.reasons.map(({ message }) => message));
  };
  await reasons('A', 'C');
  expect(await reasons('A', 'B', 'C')).toEqual(['response 200: alternative B added']);
  expect(await reasons('C', 'B', 'A')).toEqual([]);
  expect(await reasons('C', 'A')).toEqual(['response 200: alternative B removed']);
});
