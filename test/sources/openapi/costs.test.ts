import { expect, test } from 'vitest';
import { processOpenApiSpec } from '../../../src/domain/sources/openapi/processing/process-openapi-spec.ts';
import { accessOutsideTransactions } from '../../../src/platform/context/database-access.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { makeSpecServer, pets, petsWith, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1', ALLOW_PRIVATE_NETWORK: '1' });
const { admin, advance, app, editor, organizationId, reader } = here;
const { put, read, versions } = specifying(here);

/** A specification with some tags, each with some operations and schemas. */
const sized = (tags: number, each: number) => {
  const name = (tag: number, index: number) => `resource-${tag}-${index}`;
  const all = Array.from({ length: tags * each }, (_, index) => [Math.floor(index / each), index % each] as const);
  const operation = (tag: number, index: number) => ({
    ...petsWith().paths['/pets/{petId}'].get,
    operationId: name(tag, index),
    tags: [`tag-${tag}`],
  });
  return pets({
    tags: Array.from({ length: tags }, (_, tag) => ({ name: `tag-${tag}`, description: 'Words.' })),
    paths: Object.fromEntries(all.map(([tag, index]) => [`/${name(tag, index)}`, { get: operation(tag, index) }])),
  });
};

async function reading(slug: string) {
  const { space } = await admin.mutate('createSpace', { organizationId, title: slug, empty: true }, 'space { id }');
  const dependencies = { spec: { ref: { kind: 'openapi', spec: slug } } };
  const computed = { type: 'builtin:openapi', props: { models: true, grouping: 'by-operation' }, dependencies };
  const changes = [{ insertPage: { kind: 'COMPUTED', title: 'API', computed } }];
  await editor.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
  const content = `/v1/spaces/${space.id}/content`;
  const tree = await reader.get(`${content}/pages`);
  const operations = tree.body.pages[0].pages.flatMap((tag: { pages?: { id: string }[] }) => tag.pages ?? []);
  const page = await reader.get(`${content}/page/${operations.at(-1).id}?format=markdown&dereferenced=true`);
  expect(page.body.markdown).toContain('## Get a pet');
  const whole = await reader.get(content);
  return { pages: operations.length, statements: [tree, page, whole].map(statementsOf) };
}

test('a tree and a page take as many statements for a large specification as for a small one', async () => {
  await put('small', { text: sized(1, 2) });
  await put('large', { text: sized(12, 15) });
  const [small, large] = [await reading('small'), await reading('large')];
  expect([small.pages, large.pages]).toEqual([2, 180]);
  expect(large.statements).toEqual(small.statements);
  expect(Math.max(...large.statements)).toBeLessThan(20);
});

test('a body is composed once, whatever else the properties of its source have', async () => {
  await put('composed', { text: pets() });
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Composed' }, 'space { id }');
  const compute = async (props: Record<string, unknown>) => {
    const dependencies = { spec: { ref: { kind: 'openapi', spec: 'composed' } } };
    const source = { type: 'builtin:openapi', props, dependencies };
    const answer = await reader.post(`/v1/spaces/${space.id}/content/computed/document`, { source, seed: '' });
    expect(answer.status).toBe(200);
    return { body: answer.body, statements: statementsOf(answer) };
  };
  for (const props of [{ doc: 'changelog' }, { changelog: true }]) {
    const [first, again] = [await compute(props), await compute(props)];
    expect(again.statements).toBeLessThan(first.statements);
    expect(await compute({ ...props, method: 'get', other: 1 })).toEqual(again);
    expect(await compute({ ...props, method: 'put', other: { deep: [2] } })).toEqual(again);
  }
});

test('a source that has not changed costs one conditional request and four statements', async () => {
  const server = await makeSpecServer({ '/api.json': sized(3, 3) });
  const before = await put('unchanged', { url: `${server.url}/api.json` });
  const { db } = app.services;
  const due = db.updateTable('openapi_spec').where('slug', '=', 'unchanged').set({ processingState: 'pending' });
  const { id: openApiSpecId, sourceNumber } = await due.returning(['id', 'sourceNumber']).executeTakeFirstOrThrow();
  server.asked.length = 0;
  advance(60_000);
  const meter = { statements: 0, milliseconds: 0 };
  const ctx = { ...jobContext(app.services, 'test'), ...accessOutsideTransactions(app.services, meter) };
  const attempt = { signal: new AbortController().signal, retries: 0 };
  await processOpenApiSpec.run(ctx, { openApiSpecId, sourceNumber }, attempt);
  expect(server.asked.map(({ headers }) => headers['if-none-match'])).toEqual([expect.any(String)]);
  expect(meter.statements).toBe(4);
  const after = await read('unchanged');
  expect(after).toMatchObject({ processingState: 'complete', lastVersion: before.lastVersion });
  expect(after.lastProcessedAt > before.lastProcessedAt).toBe(true);
  expect(await versions('unchanged')).toHaveLength(1);
});
