import { expect, test, vi } from 'vitest';
import { lintOpenApiVersion } from '../../../src/domain/sources/openapi/lint/lint-openapi-version.ts';
import { endLostOpenApiWork } from '../../../src/domain/sources/openapi/processing/end-lost-openapi-work.ts';
import { countJobs } from '../../../src/platform/jobs/count-jobs.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { faultCount } from '../../../src/platform/log/process-faults.ts';
import { world } from '../../world.ts';
import { makeSpecServer, pets, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1', ALLOW_PRIVATE_NETWORK: '1' });
const { advance, anonymous, app, guest, organizationId, outsider, reader } = here;
const { all, put } = specifying(here);
const run = () => ({ signal: new AbortController().signal, retries: 0 });

async function linted(slug: string) {
  const isLinted = async () => {
    const { body } = await reader.get(`${all}/${slug}/versions/latest`);
    expect(body.lintState).not.toBe('pending');
    return body;
  };
  return vi.waitFor(isLinted, { timeout: 25_000, interval: 50 });
}

const problems = async (slug: string, query = '') =>
  (await reader.get(`${all}/${slug}/versions/latest/lint${query}`)).body.items;

const yaml = `openapi: 3.0.3
info: { title: Pets, version: '1' }
servers: [{ url: https://pets.example }]
paths:
  /pets/{petId}:
    get:
      summary: Pets
      responses:
        '200':
          description: Pets.
          content:
            application/json:
              schema:
                type: strin
`;

test('a version is linted by the recommended rules, with pointers and lines', async () => {
  await put('linted', { text: yaml });
  expect(await linted('linted')).toMatchObject({ lintState: 'complete', lintErrorsCount: expect.any(Number) });
  const all = await problems('linted');
  expect(all).toContainEqual({
    object: 'openapi-lint-problem',
    rule: 'struct',
    severity: 'error',
    message: expect.stringContaining('`type`'),
    filename: 'openapi.yaml',
    pointer: '/paths/~1pets~1{petId}/get/responses/200/content/application~1json/schema/type',
    line: 14,
    column: 17,
  });
  expect(all).toContainEqual(
    expect.objectContaining({ rule: 'operation-operationId', severity: 'warning', line: 6, column: 5 }),
  );
  const severities = all.map(({ severity }: { severity: string }) => severity);
  expect(severities).toEqual(severities.toSorted());
});

test('problems are filtered by severity and rule, in both transports', async () => {
  await put('filtered', { text: yaml });
  const { lintErrorsCount, lintWarningsCount } = await linted('filtered');
  expect(await problems('filtered', '?severity=error')).toHaveLength(lintErrorsCount);
  expect(await problems('filtered', '?severity=warning')).toHaveLength(lintWarningsCount);
  const byRule = await problems('filtered', '?rule=operation-operationId');
  expect(byRule).toHaveLength(1);
  const { organization } = await reader.graphql(
    `query ($id: ID!) { organization(id: $id) { openApiSpec(slug: "filtered") { latestVersion {
      lintState lintErrorsCount lintWarningsCount lintFailure
      errors: lintProblems(first: 50, severity: ERROR) { totalCount nodes { rule severity } }
      ids: lintProblems(first: 5, rule: "operation-operationId") { nodes { message filename pointer line column } } } } } }`,
    { id: organizationId },
  );
  const { errors, ids, ...version } = organization.openApiSpec.latestVersion;
  expect(version).toEqual({ lintState: 'COMPLETE', lintErrorsCount, lintWarningsCount, lintFailure: null });
  expect(errors.totalCount).toBe(lintErrorsCount);
  expect(new Set(errors.nodes.map(({ severity }: { severity: string }) => severity))).toEqual(new Set(['ERROR']));
  const { object: _, rule: __, severity: ___, ...shown } = byRule[0];
  expect(ids.nodes).toEqual([shown]);
  expect((await reader.get(`${all}/filtered/versions/latest/lint?severity=info`)).status).toBe(400);
});

test('files are linted under their names, and nothing else is fetched', async () => {
  const server = await makeSpecServer({
    '/api/openapi.json': pets({
      paths: {
        '/pets': {
          get: {
            responses: { 200: { description: 'ok', content: { 'text/plain': { schema: { $ref: 'a.yaml#/A' } } } } },
          },
        },
      },
    }),
    '/api/a.yaml': 'A:\n  type: 7\n  description: x\n  externalValue: /secret\n  $schema: http://127.0.0.1:1/absent\n',
  });
  await put('files', { url: `${server.url}/api/openapi.json` });
  const asked = server.asked.length;
  expect(await linted('files')).toMatchObject({ lintState: 'complete' });
  expect(await problems('files', '?severity=error')).toContainEqual(
    expect.objectContaining({ filename: 'a.yaml', pointer: '/A/type', line: 2, column: 3 }),
  );
  expect(server.asked).toHaveLength(asked);
});

test('Swagger 2.0 is linted, with versions that YAML reads as numbers', async () => {
  await put('swagger', { text: 'swagger: 2.0\ninfo: { title: Old, version: 1 }\npaths: {}\n' });
  expect(await linted('swagger')).toMatchObject({ lintState: 'complete' });
  expect(await problems('swagger')).not.toEqual([]);
});

test('outsiders, guests and anonymous callers do not see problems', async () => {
  await put('hidden', { text: yaml });
  const path = `${all}/hidden/versions/latest/lint`;
  expect((await outsider.get(path)).status).toBe(404);
  expect((await guest.get(path)).status).toBe(403);
  expect((await anonymous.get(path)).status).toBe(401);
  expect((await reader.get(`${all}/absent/versions/latest/lint`)).status).toBe(404);
});

test('linting that is interrupted every time fails, and older versions are linted', async () => {
  const { lastVersion } = await put('interrupted', { text: yaml });
  await linted('interrupted');
  const jobs = async () => (await countJobs(app.services.db)).find(({ name }) => name === 'lint-openapi-version');
  await expect.poll(async () => (await jobs())?.active, { timeout: 25_000, interval: 100 }).toBe(0);
  const version = () => app.services.db.updateTable('openapi_spec_version').where('id', '=', lastVersion);
  const context = jobContext(app.services, 'test');
  await version().set({ lintState: 'pending', lintUpdatedAt: app.services.clock().toISOString() }).execute();
  advance(25 * 60 * 60 * 1000);
  await endLostOpenApiWork.run(context, {}, run());
  expect(await linted('interrupted')).toMatchObject({
    lintState: 'failed',
    lintFailure: 'Linting was interrupted several times.',
  });
  await lintOpenApiVersion.run(context, { openApiSpecVersionId: lastVersion }, run());
  expect(await linted('interrupted')).toMatchObject({ lintState: 'failed' });
  const fresh = { lintState: 'pending', lintUpdatedAt: null, lintErrorsCount: 0, lintFailure: null } as const;
  await app.services.db.deleteFrom('openapi_lint_problem').where('versionId', '=', lastVersion).execute();
  await version().set(fresh).execute();
  await endLostOpenApiWork.run(context, {}, run());
  expect(await linted('interrupted')).toMatchObject({ lintState: 'complete' });
});

test.each([
  [
    'a reference to itself',
    { components: { schemas: { A: { $ref: '#/components/schemas/A' } } } },
    /leads back to itself/,
  ],
  [
    'several references in circles',
    {
      paths: { '/self': { $ref: '#/paths/~1self' } },
      components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } } },
    },
    /leads back to itself/,
  ],
  ['a server that is null', { servers: [null] }, /none is null/],
])('%s ends linting with a reason', async (name, parts, reason) => {
  const slug = name.replaceAll(' ', '-');
  const text = JSON.stringify({ openapi: '3.0.3', info: { title: 'A', version: '1' }, paths: {}, ...parts });
  const before = faultCount('unhandled_rejection');
  await put(slug, { text });
  expect(await linted(slug)).toMatchObject({ lintState: 'failed', lintFailure: expect.stringMatching(reason) });
  // Operators are alerted of these.
  expect(faultCount('unhandled_rejection')).toBe(before);
});
