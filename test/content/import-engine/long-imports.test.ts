import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { importing, makeSite, zipOf } from './arrange.ts';

const here = await world({ ALLOW_PRIVATE_NETWORK: '1', WORKERS: '1', IMPORT_WAIT_MS: '1500' });
const { editor, reader, organizationId } = here;
const { importInto, newSpace, treeOf, upload } = importing(here);

const completed = (id: string) =>
  expect
    .poll(async () => (await reader.get(`/v1/org/${organizationId}/imports/${id}`)).body.status, {
      timeout: 60_000,
      interval: 200,
    })
    .toBe('completed');

/** A server that answers with a file only when it is released. */
async function slowFile(bytes: Buffer) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const site = await makeSite({
    '/docs.zip': async (_request, response) => {
      await promise;
      response.writeHead(200, { 'content-type': 'application/zip' }).end(bytes);
    },
  });
  return { url: `${site.url}/docs.zip`, release: resolve };
}

test('an import that takes longer than its request may becomes an import run', async () => {
  const { url, release } = await slowFile(await zipOf({ 'README.md': '# Late\n' }));
  const spaceId = await newSpace();
  const refused = await importInto(spaceId, url, 'zip');
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(/^url: import-too-large/)]);
  const { status, body, headers } = await editor.send(
    'POST',
    `/v1/spaces/${spaceId}/content/import`,
    { url, source: 'zip' },
    { prefer: 'respond-async' },
  );
  expect(status).toBe(202);
  expect(body).toMatchObject({
    importedResources: 0,
    importRun: { object: 'import-run', status: 'pending', source: { type: 'file', url }, target: { space: spaceId } },
  });
  expect(body.revision).toBeUndefined();
  expect(headers.get('location')).toContain(body.importRun.id);
  release();
  await completed(body.importRun.id);
  expect(await treeOf(spaceId)).toEqual(['Late']);
});

test('an import of more than 2,000 pages becomes an import run, in a change request too', async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 2_001 }, (_, index) => [`part-${index % 3}/page-${index}.md`, `# Page ${index}\n`]),
  );
  const { id: uploadId } = await upload(await zipOf(pages));
  const spaceId = await newSpace();
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const input = { changeRequestId: changeRequest.id, url: uploadId, source: 'MARKDOWN' };
  await expect(
    editor.mutate('importChangeRequestContent', { ...input, continueAsRun: false }, 'importRun { id }'),
  ).rejects.toMatchObject({ code: 'BAD_USER_INPUT', message: expect.stringMatching(/import-too-large/) });
  const { revision, importRun, report } = await editor.mutate(
    'importChangeRequestContent',
    input,
    'revision { id } report { message } importRun { id source { type url uploadIds } changeRequest { id } }',
  );
  expect([revision, report]).toEqual([null, []]);
  expect(importRun).toMatchObject({
    source: { type: 'FILE', url: null, uploadIds: [uploadId] },
    changeRequest: { id: changeRequest.id },
  });
  await completed(importRun.id);
  const { node } = await reader.graphql(`{ node(id: "${importRun.id}") { ... on ImportRun { pagesWritten } } }`);
  expect(node.pagesWritten).toBe(2_004);
});
