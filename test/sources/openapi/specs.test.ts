import { expect, test } from 'vitest';
import { processOpenApiSpec } from '../../../src/domain/sources/openapi/processing/process-openapi-spec.ts';
import { refetchOpenApiSpecs } from '../../../src/domain/sources/openapi/processing/refetch-openapi-specs.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { world } from '../../world.ts';
import { makeSpecServer, pets, petsWith, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1', ALLOW_PRIVATE_NETWORK: '1' });
const { admin, advance, app, creator, eventsBy, guest, organizationId, otherOrganizationId, outsider, reader } = here;
const { all, content, processed, put, read, versions } = specifying(here);

const refetch = () =>
  refetchOpenApiSpecs.run(jobContext(app.services, 'test'), {}, { signal: new AbortController().signal, retries: 0 });

test('creates a specification from a text, and processes it in the background', async () => {
  const created = await creator.post(all, { slug: 'by-text', source: { text: pets() } });
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toMatch(new RegExp(`${all}/by-text$`));
  expect(created.body).toMatchObject({ slug: 'by-text', processingState: 'pending', visibility: 'private' });
  expect(created.body).not.toHaveProperty('sourceURL');
  const done = await processed('by-text');
  expect(done).toMatchObject({
    lastVersion: expect.stringMatching(/^openapiversion_/),
    lastProcessedAt: expect.any(String),
  });
  expect(done).not.toHaveProperty('lastProcessErrorCode');
  const { body: latest } = await reader.get(`${all}/by-text/versions/latest`);
  expect(latest).toMatchObject({
    id: done.lastVersion,
    title: 'Pets',
    operationsCount: 2,
    schemasCount: 2,
    format: 'json',
  });
  expect((await reader.get(new URL(latest.url).pathname)).body).toEqual({ text: pets(), format: 'json' });
  const { filesystem, urls } = await content('by-text');
  expect(filesystem).toMatchObject([
    { filename: 'openapi.json', isEntrypoint: true, references: [], specification: petsWith() },
  ]);
  expect(urls).toEqual({ source: latest.url, public: null });
});

test('the graph shows what REST created', async () => {
  await put('in-graph', { text: pets() });
  const { organization } = await reader.graphql(
    `query ($id: ID!) { organization(id: $id) {
      openApiSpec(slug: "in-graph") { id slug visibility processingState lastProcessErrorCode lastProcessedErrors { code message } lastProcessedErrorCount
        latestVersion { id createdAt content { filesystem source url } } versions(first: 5) { totalCount nodes { id url spec { slug } } }
        permissions { view edit } }
      absent: openApiSpec(slug: "absent") { id }
      openApiSpecs(first: 20) { nodes { slug } } } }`,
    { id: organizationId },
  );
  const shown = await read('in-graph');
  expect(organization.absent).toBeNull();
  expect(organization.openApiSpecs.nodes).toContainEqual({ slug: 'in-graph' });
  expect(organization.openApiSpec).toMatchObject({
    id: shown.id,
    processingState: 'COMPLETE',
    lastProcessedErrors: null,
    lastProcessedErrorCount: 0,
    latestVersion: { id: shown.lastVersion, content: { source: pets(), filesystem: [{ isEntrypoint: true }] } },
    versions: { totalCount: 1, nodes: [{ id: shown.lastVersion, spec: { slug: 'in-graph' } }] },
    permissions: { view: true, edit: false },
  });
});

test('mutations create, replace, update and delete', async () => {
  const named = { organizationId, slug: 'mutated' };
  const { openApiSpec } = await admin.mutate(
    'createOpenApiSpec',
    { ...named, source: { text: pets() } },
    'openApiSpec { id slug processingState }',
  );
  expect(openApiSpec).toMatchObject({ slug: 'mutated', processingState: 'PENDING' });
  await processed('mutated');
  await admin.mutate('setOpenApiSpecSource', { ...named, source: { text: pets({ tags: [] }) } }, 'openApiSpec { id }');
  await processed('mutated');
  expect(await versions('mutated')).toHaveLength(2);
  const updated = await admin.mutate(
    'updateOpenApiSpec',
    { ...named, visibility: 'PUBLIC' },
    'openApiSpec { visibility }',
  );
  expect(updated.openApiSpec).toEqual({ visibility: 'PUBLIC' });
  expect(await read('mutated')).toMatchObject({ visibility: 'public' });
  const deleted = await admin.mutate(
    'deleteOpenApiSpec',
    { openApiSpecId: openApiSpec.id },
    'deletedId organization { id }',
  );
  expect(deleted).toEqual({ deletedId: openApiSpec.id, organization: { id: organizationId } });
  expect((await reader.get(`${all}/mutated`)).status).toBe(404);
  await expect(admin.mutate('deleteOpenApiSpec', {}, 'deletedId')).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('a deletion by ID concerns the named organization only, and finds nothing for guests', async () => {
  const { id: openApiSpecId } = await put('kept', { text: pets() });
  const remove = (client: typeof admin, more: Record<string, string> = {}) =>
    client.mutate('deleteOpenApiSpec', { openApiSpecId, ...more }, 'deletedId');
  const nothing = { deletedId: null };
  expect(await remove(outsider)).toEqual(nothing);
  expect(await remove(admin, { slug: 'another' })).toEqual(nothing);
  await expect(remove(admin, { organizationId: otherOrganizationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await remove(outsider, { organizationId: otherOrganizationId })).toEqual(nothing);
  expect(await remove(guest)).toEqual(nothing);
  await expect(remove(reader)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(remove(admin, { expectedVersion: 'another' })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  expect((await read('kept')).id).toBe(openApiSpecId);
  const { node } = await creator.graphql(`{ node(id: "${openApiSpecId}") { ... on OpenApiSpec { version } } }`);
  const expectedVersion = node.version;
  expect(await remove(creator, { organizationId, expectedVersion })).toEqual({ deletedId: openApiSpecId });
});

test('content that is too large for the graph is refused there', async () => {
  const description = 'x'.repeat(1_000_001);
  await put('large', { text: pets({ info: { title: 'Pets', version: '1', description } }) });
  const query = `query ($id: ID!) { organization(id: $id) { openApiSpec(slug: "large") {
    latestVersion { content { filesystem source } } } } }`;
  const { body } = await reader.graphqlRaw(query, { id: organizationId });
  expect(body.data.organization.openApiSpec.latestVersion.content).toEqual({ filesystem: null, source: null });
  const codes = body.errors.map(({ extensions, path }: { extensions: { code: string }; path: string[] }) => [
    path.at(-1),
    extensions.code,
  ]);
  expect(codes.sort()).toEqual([
    ['filesystem', 'BAD_USER_INPUT'],
    ['source', 'BAD_USER_INPUT'],
  ]);
  expect((await content('large')).filesystem[0].specification.info.description).toBe(description);
});

test('PUT creates with 201 and replaces with 200, and equal content makes no version', async () => {
  const source = { text: pets() };
  expect((await admin.put(`${all}/replaced`, { source })).status).toBe(201);
  const first = await processed('replaced');
  expect((await admin.put(`${all}/replaced`, { source })).status).toBe(200);
  expect(await processed('replaced')).toMatchObject({ lastVersion: first.lastVersion });
  const second = await put('replaced', { text: pets({ info: { title: 'Pets', version: '2' } }) });
  expect((await versions('replaced')).map(({ id }: { id: string }) => id)).toEqual([
    second.lastVersion,
    first.lastVersion,
  ]);
  const { body } = await reader.get(`${all}/replaced/versions/${first.lastVersion}/content`);
  expect(body.filesystem[0].specification.info.version).toBe('1.0.0');
});

test('rejects slugs that are taken or malformed, and sources that are neither or both', async () => {
  await put('taken', { text: pets() });
  const create = (slug: unknown, source: unknown) => admin.post(all, { slug, source });
  const again = await create('taken', { text: pets() });
  expect([again.status, again.body.error.message]).toEqual([
    400,
    expect.stringMatching(/^slug: is the slug of another/),
  ]);
  for (const slug of ['Pets', 'pets-', '-', 'a--b', '', 'x'.repeat(101)]) {
    expect([slug, (await create(slug, { text: pets() })).status]).toEqual([slug, 400]);
  }
  for (const source of [
    {},
    { url: 'https://a.example/', text: 'x' },
    { url: 'ftp://a.example/' },
    { url: 'https://u:p@a.example/' },
    { text: 'x'.repeat(8_000_001) },
  ]) {
    expect((await create('wrong', source)).status).toBe(400);
  }
});

test('members read, creators write, and nobody else learns anything', async () => {
  await put('guarded', { text: pets() });
  const source = { text: pets() };
  expect((await reader.post(all, { slug: 'x', source })).status).toBe(403);
  expect((await reader.put(`${all}/guarded`, { source })).status).toBe(403);
  expect((await reader.patch(`${all}/guarded`, { visibility: 'public' })).status).toBe(403);
  expect((await reader.delete(`${all}/guarded`)).status).toBe(403);
  expect((await guest.get(`${all}/guarded`)).status).toBe(403);
  for (const path of ['', '/guarded', '/guarded/versions', '/guarded/versions/latest/content']) {
    expect([path, (await outsider.get(`${all}${path}`)).status]).toEqual([path, 404]);
  }
  const { id, lastVersion } = await read('guarded');
  expect(await outsider.graphql(`{ a: node(id: "${id}") { id } b: node(id: "${lastVersion}") { id } }`)).toEqual({
    a: null,
    b: null,
  });
  expect((await creator.patch(`${all}/guarded`, { visibility: 'public' })).body).toMatchObject({
    visibility: 'public',
  });
  expect((await creator.delete(`${all}/guarded`)).status).toBe(204);
  expect((await creator.delete(`${all}/guarded`)).status).toBe(204);
});

test('a URL is fetched again after six hours by one conditional request', async () => {
  const server = await makeSpecServer({ '/api.json': pets() });
  const first = await put('by-url', { url: `${server.url}/api.json` });
  expect(first).toMatchObject({ sourceURL: `${server.url}/api.json` });
  await refetch();
  expect(await read('by-url')).toMatchObject({ processingState: 'complete', lastProcessedAt: first.lastProcessedAt });
  advance(6 * 60 * 60 * 1000 + 60_000);
  await refetch();
  const second = await processed('by-url');
  expect(server.asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, expect.any(String)]);
  expect(second.lastVersion).toBe(first.lastVersion);
  expect(second.lastProcessedAt > first.lastProcessedAt).toBe(true);
  server.files['/api.json'] = pets({ info: { title: 'More pets', version: '2' } });
  advance(6 * 60 * 60 * 1000 + 60_000);
  await refetch();
  expect((await processed('by-url')).lastVersion).not.toBe(first.lastVersion);
  expect(await versions('by-url')).toHaveLength(2);
});

test('a job that stops while the source is fetched leaves the specification in progress, for its next attempt', async () => {
  const server = await makeSpecServer({ '/api.json': pets() });
  const { lastVersion } = await put('stopped', { url: `${server.url}/api.json` });
  const stopping = new AbortController();
  server.files['/api.json'] = () => stopping.abort();
  const due = app.services.db.updateTable('openapi_spec').where('slug', '=', 'stopped');
  const { id: openApiSpecId, sourceNumber } = await due
    .set({ processingState: 'pending' })
    .returning(['id', 'sourceNumber'])
    .executeTakeFirstOrThrow();
  const attempt = (signal: AbortSignal) =>
    processOpenApiSpec.run(jobContext(app.services, 'test'), { openApiSpecId, sourceNumber }, { signal, retries: 3 });
  await expect(attempt(stopping.signal)).rejects.toThrow();
  const stopped = await read('stopped');
  expect(stopped).toMatchObject({ processingState: 'progress', lastVersion });
  expect(stopped).not.toHaveProperty('lastProcessErrorCode');
  server.files['/api.json'] = pets({ tags: [] });
  await attempt(new AbortController().signal);
  const done = await read('stopped');
  expect([done.processingState, done.lastVersion === lastVersion]).toEqual(['complete', false]);
});

test('relative references to files of the source are followed', async () => {
  const server = await makeSpecServer({
    '/v1/api.yaml':
      'openapi: 3.0.3\ninfo: { title: Pets, version: "1" }\npaths:\n  /pets:\n    $ref: "paths/pets.yaml"\n',
    '/v1/paths/pets.yaml':
      'get:\n  responses:\n    "200":\n      description: Pets\n      content:\n        application/json:\n          schema: { $ref: "../models.json#/Pet" }\n',
    '/v1/models.json': '{ "Pet": { "type": "object", "properties": { "parent": { "$ref": "#/Pet" } } } }',
  });
  await put('many-files', { url: `${server.url}/v1/api.yaml` });
  const { filesystem } = await content('many-files');
  expect(
    filesystem.map(({ filename, references, isEntrypoint }: Record<string, unknown>) => ({
      filename,
      references,
      isEntrypoint,
    })),
  ).toEqual([
    { filename: 'api.yaml', references: ['paths/pets.yaml'], isEntrypoint: true },
    { filename: 'paths/pets.yaml', references: ['models.json'], isEntrypoint: false },
    { filename: 'models.json', references: [], isEntrypoint: false },
  ]);
  const { body } = await reader.get(`${all}/many-files/versions/latest`);
  expect(body).toMatchObject({ openapiVersion: '3.0.3', format: 'yaml', operationsCount: 1, filesCount: 3 });
});

test('records events', async () => {
  await put('recorded', { text: pets() });
  await put('recorded', { text: 'no: thing' });
  await admin.delete(`${all}/recorded`);
  const kinds = new Set((await eventsBy()).map(({ type }) => type));
  for (const kind of [
    'openapi_spec_created',
    'openapi_version_created',
    'openapi_spec_updated',
    'openapi_spec_failed',
    'openapi_spec_deleted',
  ])
    expect(kinds).toContain(kind);
});
