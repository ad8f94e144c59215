import { beforeAll, expect, test } from 'vitest';
import { endLostOpenApiWork } from '../../../src/domain/sources/openapi/processing/end-lost-openapi-work.ts';
import { processOpenApiSpec } from '../../../src/domain/sources/openapi/processing/process-openapi-spec.ts';
import { refetchOpenApiSpecs } from '../../../src/domain/sources/openapi/processing/refetch-openapi-specs.ts';
import { MAX_VERSIONS } from '../../../src/domain/sources/openapi/settings.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { enqueue } from '../../../src/platform/jobs/enqueue.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { siteWith } from '../../publishing/arrange.ts';
import { world } from '../../world.ts';
import { pets, petsWith, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1' });
const { admin, advance, anonymous, app, creator, editor, guest, organizationId, outsider, reader } = here;
const { all, processed, put, read, versions } = specifying(here);

async function spaceWith(title: string, ...changes: unknown[]) {
  const { space } = await admin.mutate('createSpace', { organizationId, title, empty: true }, 'space { id }');
  const { pageIds } = await editor.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
  return { spaceId: space.id as string, pageIds: pageIds as string[] };
}

const ref = { kind: 'openapi', spec: 'linked' };
const computed = (props: Record<string, unknown>) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref } },
});

let docs: Awaited<ReturnType<typeof spaceWith>>;
beforeAll(async () => {
  await put('linked', { text: pets() });
  docs = await spaceWith(
    'Docs',
    {
      insertPage: {
        title: 'Block',
        document: {
          markdown: '{% openapi-operation spec="linked" path="/pets" method="get" %}\n{% endopenapi-operation %}',
        },
      },
    },
    { insertPage: { kind: 'LINK', title: 'Link', target: ref } },
    { insertPage: { kind: 'COMPUTED', title: 'Reference', computed: computed({ changelog: true }) } },
    { insertPage: { title: 'Nothing', document: { markdown: 'Words.' } } },
  );
});

test('a specification lists the pages that refer to it or are computed from it', async () => {
  const { body } = await reader.get(`${all}/linked/backlinks`);
  const titles = body.items.map(({ kind, page }: { kind: string; page: { title: string } }) => [kind, page.title]);
  expect(titles.toSorted()).toEqual([
    ['page', 'Block'],
    ['page', 'Link'],
    ['page', 'Reference'],
  ]);
  const { organization } = await reader.graphql(
    `query ($id: ID!) { organization(id: $id) { openApiSpec(slug: "linked") {
      backlinks(first: 2) { totalCount pageInfo { hasNextPage } nodes { kind space { id } page { title } } } } } }`,
    { id: organizationId },
  );
  expect(organization.openApiSpec.backlinks).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
  expect(organization.openApiSpec.backlinks.nodes[0].space).toEqual({ id: docs.spaceId });
});

test('backlinks in spaces that the caller cannot see are left out', async () => {
  const hidden = await spaceWith('Hidden', {
    insertPage: { kind: 'COMPUTED', title: 'Secret', computed: computed({}) },
  });
  await admin.patch(`/v1/spaces/${hidden.spaceId}`, { defaultLevel: null });
  const shown = async (client: typeof reader) =>
    (await client.get(`${all}/linked/backlinks`)).body.items.map(({ page }: { page: { title: string } }) => page.title);
  expect(await shown(admin)).toContain('Secret');
  expect(await shown(reader)).not.toContain('Secret');
  expect((await outsider.get(`${all}/linked/backlinks`)).status).toBe(404);
  expect((await guest.get(`${all}/linked/backlinks`)).status).toBe(403);
  expect((await reader.get(`${all}/absent/backlinks`)).status).toBe(404);
});

test('backlinks in spaces that the caller only sees on a public site are left out', async () => {
  const hidden = await spaceWith('Hidden on a site', {
    insertPage: {
      kind: 'COMPUTED',
      title: 'For partners',
      computed: computed({}),
      condition: 'visitor.claims.partner',
    },
  });
  await admin.patch(`/v1/spaces/${hidden.spaceId}`, { defaultLevel: null });
  const site = await siteWith(admin, organizationId, { title: 'Site', visibility: 'public', spaces: [hidden.spaceId] });
  await admin.post(`${site.path}/publish`, {});
  expect((await reader.get(`/v1/spaces/${hidden.spaceId}`)).status).toBe(200);
  const { body } = await reader.get(`${all}/linked/backlinks`);
  expect([body.count, JSON.stringify(body).includes(hidden.spaceId)]).toEqual([body.items.length, false]);
});

test('links to operations lead to the specification', async () => {
  const { body } = await reader.get(`/v1/spaces/${docs.spaceId}/content/page/${docs.pageIds[0]}/links`);
  expect(body.items).toMatchObject([
    { status: 'ok', relation: 'dependsOn', targetReference: { kind: 'openapi', openAPISpec: { slug: 'linked' } } },
  ]);
  const { space } = await reader.graphql(
    `query ($id: ID!) { space(id: $id) { links(first: 5) { nodes { status targetReference { kind openApiSpec { slug } } } } } }`,
    { id: docs.spaceId },
  );
  expect(space.links.nodes[0]).toEqual({
    status: 'OK',
    targetReference: { kind: 'OPENAPI', openApiSpec: { slug: 'linked' } },
  });
});

test('a link to an operation is broken as soon as a version does not have it', async () => {
  await put('breaking', { text: pets() });
  const block = (path: string) =>
    `{% openapi-operation spec="breaking" path="${path}" method="get" %}\n{% endopenapi-operation %}`;
  const markdown = `${block('/pets')}\n\n${block('/pets/{petId}')}`;
  const { spaceId } = await spaceWith('Breaking', { insertPage: { title: 'Blocks', document: { markdown } } });
  const links = async () => (await reader.get(`/v1/spaces/${spaceId}/links`)).body;
  const read = async () => {
    const { items, stats } = await links();
    return [...items.map(({ status }: { status: string }) => status), stats.broken.total];
  };
  expect(await read()).toEqual(['ok', 'ok', 0]);
  await put('breaking', { text: pets({ paths: { '/pets': petsWith().paths['/pets'] } }) });
  expect(await read()).toEqual(['ok', 'broken', 1]);
  await put('breaking', { text: pets() });
  expect(await read()).toEqual(['ok', 'ok', 0]);
});

test('a source can have a page with the changes of its versions', async () => {
  const path = `/v1/spaces/${docs.spaceId}/content/path/${encodeURIComponent('reference/changelog')}?format=markdown`;
  const before = (await reader.get(path)).body;
  expect(before.markdown).toContain('There are no changes yet.');
  await put('linked', { text: pets({ info: { title: 'Pets', version: '2.0' }, paths: {} }) });
  await put('linked', { text: pets({ info: { title: 'Pets', version: '3.0' } }) });
  const after = (await reader.get(path)).body;
  expect(after.id).toBe(before.id);
  expect(after.markdown).toMatch(/## \d{4}-\d\d-\d\d \(3\.0\)\n\n### Other changes\n[\s\S]*`GET \/pets` added/);
  expect(after.markdown).toMatch(/\(2\.0\)\n\n### Breaking changes\n[\s\S]*`GET \/pets` removed/);
  expect(after.markdown.indexOf('(3.0)')).toBeLessThan(after.markdown.indexOf('(2.0)'));
});

test('anyone can read the content of a public specification, and nothing else of it', async () => {
  await put('public', { text: pets() });
  const path = `${all}/public/versions/latest/content`;
  expect((await outsider.get(path)).status).toBe(404);
  expect((await anonymous.get(path)).status).toBe(401);
  expect((await read('public')).urls).not.toHaveProperty('published');
  const { body } = await creator.patch(`${all}/public`, { visibility: 'public' });
  const { pathname } = new URL(body.urls.published);
  expect((await anonymous.get(pathname)).body).toEqual({ text: pets(), format: 'json' });
  expect((await anonymous.get(path)).body).toMatchObject({ urls: { public: body.urls.published } });
  expect((await outsider.get(path)).body.url).toContain('/openapi/public/versions/');
  expect((await outsider.get(`${all}/public`)).status).toBe(404);
  expect((await outsider.get(`${all}/public/versions/latest`)).status).toBe(404);
  expect((await anonymous.get(`${all}/public/versions`)).status).toBe(401);
  expect((await anonymous.get(`${all}/absent/versions/latest/content`)).status).toBe(401);
  await creator.patch(`${all}/public`, { visibility: 'private' });
  expect((await outsider.get(pathname)).status).toBe(404);
});

test('processing that is interrupted every time ends as failed, and the latest version stays', async () => {
  const { lastVersion } = await put('killed', { text: pets() });
  const context = jobContext(app.services, 'test');
  const run = { signal: new AbortController().signal, retries: 0 };
  const since = app.services.clock().toISOString();
  const row = app.services.db.updateTable('openapi_spec').where('slug', '=', 'killed');
  await row.set({ processingState: 'progress', processingSince: since }).execute();
  const { id: openApiSpecId } = await read('killed');
  await enqueue(context, processOpenApiSpec, { openApiSpecId, sourceNumber: 1 }, { startAfter: 3_600 });
  advance(25 * 60 * 60 * 1000);
  await endLostOpenApiWork.run(context, {}, run);
  expect(await read('killed')).toMatchObject({ processingState: 'progress' }); // its job is queued
  await app.services.jobs.boss.deleteAllJobs('process-openapi-spec');
  await endLostOpenApiWork.run(context, {}, run);
  expect(await processed('killed')).toMatchObject({
    lastVersion,
    lastProcessErrorCode: 'PARSE_ERROR',
    lastProcessedErrors: [{ message: 'Processing was interrupted several times.' }],
  });
  await refetchOpenApiSpecs.run(context, {}, run);
  expect(await read('killed')).toMatchObject({ processingState: 'complete' });
});

test('the oldest versions beyond the limit are removed', async () => {
  const { id: specId, lastVersion } = await put('pruned', { text: pets() });
  const { id: _, ...version } = await app.services.db
    .selectFrom('openapi_spec_version')
    .where('id', '=', lastVersion)
    .selectAll()
    .executeTakeFirstOrThrow();
  const older = Array.from({ length: MAX_VERSIONS }, (__, at) => ({
    ...version,
    id: newId('openapiversion'),
    outline: JSON.stringify(version.outline) as never,
    createdAt: new Date(Date.parse(version.createdAt) - (at + 1) * 1_000).toISOString(),
  }));
  await app.services.db.insertInto('openapi_spec_version').values(older).execute();
  await put('pruned', { text: pets({ tags: [] }) });
  const kept = await app.services.db
    .selectFrom('openapi_spec_version')
    .where('specId', '=', specId)
    .select('id')
    .execute();
  expect(kept).toHaveLength(MAX_VERSIONS);
  expect(kept).not.toContainEqual({ id: older.at(-1)?.id });
  expect(kept).toContainEqual({ id: lastVersion });
  expect(await versions('pruned')).not.toHaveLength(0);
});
