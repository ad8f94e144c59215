import { expect, test } from 'vitest';
import { endLostImportRuns } from '../../../src/domain/content/import-runs/end-lost-import-runs.ts';
import { runImport } from '../../../src/domain/content/import-runs/run-import.ts';
import { hashToken } from '../../../src/platform/access/credentials.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { countJobs } from '../../../src/platform/jobs/count-jobs.ts';
import { enqueue } from '../../../src/platform/jobs/enqueue.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';
import { importing, makeSite, PIXEL, zipOf } from './arrange.ts';
import { docx } from './documents.ts';

const here = await world({ WORKERS: '1', ALLOW_PRIVATE_NETWORK: '1' });
const { admin, app, commenter, editor, organizationId, outsider, reader } = here;
const { newSpace, treeOf, upload } = importing(here);

const ALL = `/v1/org/${organizationId}/imports`;

const start = (by: Client, source: unknown, target: unknown) => by.post(ALL, { source, target });
const run = async (id: string) => (await reader.get(`${ALL}/${id}`)).body;
const reaches = (id: string, status: string) =>
  expect.poll(async () => (await run(id)).status, { timeout: 25_000, interval: 100 }).toBe(status);

const website = (url: string) => ({ type: 'website', url });

/** A site that keeps answers back until it is told. */
async function slowSite() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const links = Array.from({ length: 4 }, (_, index) => `<a href="/p${index}">x</a>`).join('');
  const page = async (_request: unknown, response: import('node:http').ServerResponse) => {
    await promise;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<main><h1>Late</h1></main>');
  };
  const pages = Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`/p${index}`, page]));
  const site = await makeSite({ '/': `<main><h1>Slow</h1>${links}</main>`, ...pages });
  return { ...site, release: resolve };
}

test('imports a website in the background, with progress and result', async () => {
  const site = await makeSite({
    '/': '<main><h1>Home</h1><p><a href="/a">A</a> <a href="/gone">Gone</a></p></main>',
    '/a': '<main><h1>A page</h1><svg></svg></main>',
  });
  const spaceId = await newSpace();
  const { status, body, headers } = await start(editor, website(site.url), { space: spaceId });
  expect(status).toBe(201);
  expect(headers.get('location')).toContain(body.id);
  expect(body).toMatchObject({ object: 'import-run', source: website(site.url), target: { space: spaceId } });
  await reaches(body.id, 'completed');
  const done = await run(body.id);
  expect(done).toMatchObject({
    progress: { pagesFound: 2, pagesRead: 2, pagesWritten: 2, filesWritten: 0 },
    createdBy: editor.userId,
    droppedCount: 2,
    report: expect.arrayContaining([expect.objectContaining({ outcome: 'dropped' })]),
  });
  expect(await treeOf(spaceId)).toEqual(['Home', 'A page']);
  expect((await reader.get(`/v1/spaces/${spaceId}/content`)).body.id).toBe(done.revision);
  const { node } = await reader.graphql(
    `{ node(id: "${body.id}") { ... on ImportRun { status pagesWritten report { outcome file } source { type url } space { id }
       changeRequest { id } revision { id } createdBy { id } } } }`,
  );
  expect(node).toMatchObject({
    status: 'COMPLETED',
    pagesWritten: 2,
    source: { type: 'WEBSITE', url: site.url },
    space: { id: spaceId },
    changeRequest: null,
    revision: { id: done.revision },
    createdBy: { id: editor.userId },
  });
});

test('imports several uploads below a page of a change request', async () => {
  const spaceId = await newSpace();
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const { body: content } = await reader.get(`/v1/spaces/${spaceId}/content`);
  const pageId = content.pages[0].id;
  const configuration = 'redirects:\n  old: more.md\n';
  const files = { 'README.md': '# One', 'more.md': '# More', '.gitbook.yaml': configuration };
  const one = await upload(await zipOf(files));
  const two = await upload(Buffer.from('<main><h1>Two</h1></main>'), 'two.html');
  const { importRun } = await editor.mutate(
    'startImportRun',
    {
      organizationId,
      source: { file: { uploadIds: [one.id, two.url] } },
      target: { spaceId, changeRequestId: changeRequest.id, pageId },
    },
    'importRun { id status source { type uploadIds } }',
  );
  expect(importRun.source).toEqual({ type: 'FILE', uploadIds: [one.id, two.id] });
  await reaches(importRun.id, 'completed');
  const { revision, report } = await run(importRun.id);
  const message = 'The redirects were not imported, because the pages are below another page.';
  expect(report).toContainEqual(expect.objectContaining({ message }));
  const { body } = await reader.get(`/v1/spaces/${spaceId}/revisions/${revision}`);
  expect(body.pages[0].pages.map(({ title }: { title: string }) => title)).toEqual(['One', 'More', 'Two']);
  expect((await reader.get(`/v1/spaces/${spaceId}/content`)).body.id).toBe(content.id);
});

test('the images of several Word documents are kept apart, and the variables of several archives too', async () => {
  const spaceId = await newSpace();
  const larger = Buffer.concat([PIXEL, Buffer.from('more')]);
  const archive = (value: string) => zipOf({ 'README.md': `# ${value}`, '.gitbook/vars.yaml': `version: ${value}\n` });
  const uploads = [
    await upload(await docx(), 'one.docx'),
    await upload(await docx('', larger), 'two.docx'),
    await upload(await archive('v1'), 'one.zip'),
    await upload(await archive('v2'), 'two.zip'),
  ];
  const source = { type: 'file', files: uploads.map(({ id }) => id) };
  const { body } = await start(editor, source, { space: spaceId });
  await reaches(body.id, 'completed');
  const { body: files } = await reader.get(`/v1/spaces/${spaceId}/content/files`);
  expect(files.items.map(({ size }: { size: number }) => size).sort()).toEqual([PIXEL.length, larger.length]);
  const { body: content } = await reader.get(`/v1/spaces/${spaceId}/content`);
  expect(content.variables).toEqual({ version: 'v1' });
  const { report } = await run(body.id);
  expect(report.map(({ message }: { message: string }) => message)).toContain(
    'The variable "version" was not imported: an earlier file has another value for it.',
  );
});

test('is cancelled while it runs, and then writes nothing', async () => {
  const site = await slowSite();
  const spaceId = await newSpace();
  const before = (await reader.get(`/v1/spaces/${spaceId}/content`)).body.id;
  const { body } = await start(editor, website(site.url), { space: spaceId });
  await reaches(body.id, 'in-progress');
  await expect.poll(() => site.asked.includes('/p0')).toBe(true);
  expect((await commenter.post(`${ALL}/${body.id}/cancel`)).status).toBe(403);
  expect((await outsider.post(`${ALL}/${body.id}/cancel`)).status).toBe(404);
  const { status, body: cancelled } = await editor.post(`${ALL}/${body.id}/cancel`);
  expect([status, cancelled.status]).toEqual([200, 'cancelled']);
  site.release();
  const again = await editor.mutate('cancelImportRun', { importRunId: body.id }, 'importRun { status }');
  expect(again.importRun.status).toBe('CANCELLED');
  await expect.poll(async () => (await queue()).active).toBe(0);
  expect((await run(body.id)).status).toBe('cancelled');
  expect((await reader.get(`/v1/spaces/${spaceId}/content`)).body.id).toBe(before);
});

const queue = async () => {
  const found = (await countJobs(app.services.db)).find(({ name }) => name === 'run-import');
  return { ready: Number(found?.ready), active: Number(found?.active) };
};

test('fails with a helpful reason, and can no longer be cancelled', async () => {
  const site = await makeSite({});
  const spaceId = await newSpace();
  const { body } = await start(editor, website(site.url), { space: spaceId });
  await reaches(body.id, 'failed');
  expect((await run(body.id)).reason).toMatch(/responded with status 404/);
  const { status } = await editor.post(`${ALL}/${body.id}/cancel`);
  expect(status).toBe(400);
});

test('checks the permissions of its creator when it writes', async () => {
  const site = await slowSite();
  const spaceId = await newSpace();
  const { body } = await start(editor, website(site.url), { space: spaceId });
  await reaches(body.id, 'in-progress');
  await here.grant(spaceId, editor.userId, 'read');
  await app.services.db.updateTable('space').set({ editMode: 'locked' }).where('id', '=', spaceId).execute();
  site.release();
  await reaches(body.id, 'failed');
  expect((await run(body.id)).reason).toMatch(/locked|role/);
});

test('continues after a kill, and is not applied twice', async () => {
  const spaceId = await newSpace();
  const one = await upload(await zipOf({ 'README.md': '# One' }));
  const { body } = await start(editor, { type: 'file', files: [one.id] }, { space: spaceId });
  await reaches(body.id, 'completed');
  const again = async () => {
    const ctx = jobContext(app.services, 'test');
    await enqueue(ctx, runImport, { importRunId: body.id });
    app.services.jobs.wake('run-import');
  };
  await again();
  await expect.poll(async () => (await queue()).ready + (await queue()).active).toBe(0);
  expect(await treeOf(spaceId)).toEqual(['One']);
  // As a process leaves it that was killed in the middle.
  const target = await newSpace();
  const interrupted = { status: 'in-progress' as const, spaceId: target, revisionId: null, completedAt: null };
  await app.services.db.updateTable('import_run').set(interrupted).where('id', '=', body.id).execute();
  await again();
  await reaches(body.id, 'completed');
  expect(await treeOf(target)).toEqual(['One']);
});

test('lists runs of readable spaces, newest first, filtered by target and status', async () => {
  const spaceId = await newSpace();
  const one = await upload(await zipOf({ 'README.md': '# One' }));
  const { body } = await start(editor, { type: 'file', files: [one.id] }, { space: spaceId });
  await reaches(body.id, 'completed');
  const listed = async (by: Client, query: string) => {
    const { body: list } = await by.get(`${ALL}?${query}`);
    return list.items.map(({ id }: { id: string }) => id);
  };
  expect(await listed(reader, `space=${spaceId}`)).toEqual([body.id]);
  expect(await listed(reader, `space=${spaceId}&status=completed`)).toEqual([body.id]);
  expect(await listed(reader, `space=${spaceId}&status=active`)).toEqual([]);
  expect((await listed(reader, 'limit=3')).at(0)).toBe(body.id);
  await here.grant(spaceId, reader.userId, 'none');
  expect((await outsider.get(ALL)).status).toBe(404);
  const { organization } = await reader.graphql(
    `{ organization(id: "${organizationId}") { importRuns(first: 2, status: COMPLETED) { totalCount nodes { id status } } } }`,
  );
  expect(organization.importRuns.nodes.length).toBeGreaterThan(0);
});

test('refuses impossible targets and sources', async () => {
  const spaceId = await newSpace();
  const locked = await newSpace();
  await admin.patch(`/v1/spaces/${locked}`, { editMode: 'locked' });
  const site = website('https://example.com/');
  const apiError = async (by: Client, source: unknown, target: unknown) => {
    const { status, body } = await start(by, source, target);
    return [status, body.error.message];
  };
  const absent = 'space_01h455vb4pex5vsknk084sn02q';
  expect(await apiError(editor, site, { space: absent })).toEqual([400, expect.stringMatching(/^target\.space: /)]);
  expect(await apiError(editor, site, { space: spaceId, changeRequest: 'cr_1' })).toEqual([
    400,
    expect.stringMatching(/^target\.changeRequest: /),
  ]);
  expect((await apiError(commenter, site, { space: spaceId }))[0]).toBe(403);
  expect((await apiError(outsider, site, { space: spaceId }))[0]).toBe(404);
  expect((await apiError(editor, site, { space: locked }))[0]).toBe(409);
  expect((await apiError(editor, website('ftp://x/'), { space: spaceId }))[0]).toBe(400);
  expect((await apiError(editor, { type: 'file', files: ['upload_x'] }, { space: spaceId }))[1]).toMatch(
    /^source\.files\.0: /,
  );
  expect((await apiError(editor, { type: 'other' }, { space: spaceId }))[0]).toBe(400);
  expect((await reader.get(`/v1/org/${here.otherOrganizationId}/imports/import_x`)).status).toBe(404);
});

test('fails runs whose job was killed at every attempt', async () => {
  const spaceId = await newSpace();
  const site = await slowSite();
  const { body } = await start(editor, website(site.url), { space: spaceId });
  await reaches(body.id, 'in-progress');
  await editor.post(`${ALL}/${body.id}/cancel`);
  const updatedAt = new Date(Date.now() - 3 * 60 * 1000).toISOString();
  const { db } = app.services;
  // A run whose job is still there is not lost.
  const active = async () => (await countJobs(db)).find(({ name }) => name === 'run-import')?.active;
  await expect.poll(active, { timeout: 25_000, interval: 100 }).toBe(0);
  await db.updateTable('import_run').set({ status: 'in-progress', updatedAt }).where('id', '=', body.id).execute();
  const signal = new AbortController().signal;
  await endLostImportRuns.run(jobContext(app.services, 'test'), {}, { signal, retries: 0 });
  expect(await run(body.id)).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(/interrupted several times/),
  });
  site.release();
});

test('a run has the role that a SAML provider gave to its user, if the user has signed in with that provider', async () => {
  const { db } = app.services;
  const samlProviderId = newId('saml');
  await db.insertInto('saml_provider').values({ id: samlProviderId, organizationId, label: 'Okta' }).execute();
  const given = (roleProviderId: string | null) =>
    db.updateTable('membership').set({ roleProviderId }).where('userId', '=', commenter.userId).execute();
  await db.updateTable('membership').set({ role: 'edit' }).where('userId', '=', commenter.userId).execute();
  await given(samlProviderId);
  const token = { id: newId('token'), userId: commenter.userId, label: '', samlProviderId };
  await db
    .insertInto('api_token')
    .values({ ...token, secretHash: hashToken('stemma_by_sso') })
    .execute();
  const bySso = new Client(here.url, 'stemma_by_sso', commenter.userId);
  const site = await makeSite({ '/': '<main><h1>Home</h1></main>' });
  const spaceId = await newSpace();
  const without = await start(commenter, website(site.url), { space: spaceId });
  expect([without.status, without.body.error.message]).toEqual([400, expect.stringContaining('cannot see it')]);
  const { status, body } = await start(bySso, website(site.url), { space: spaceId });
  expect(status).toBe(201);
  await reaches(body.id, 'completed');
  expect(await treeOf(spaceId)).toEqual(['Home']);
  await given(null);
  await db.updateTable('membership').set({ role: 'comment' }).where('userId', '=', commenter.userId).execute();
});
