import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { endLostGitRuns } from '../../../src/domain/sources/git/runs/end-lost-git-runs.ts';
import { exportableFiles } from '../../../src/domain/sources/git/runs/exportable-files.ts';
import { loadRow } from '../../../src/domain/sources/git/runs/sync-state.ts';
import { rejectLargePack } from '../../../src/domain/sources/git/transport/bounded-objects.ts';
import { work as commit } from '../../../src/domain/sources/git/transport/commit-work.ts';
import { gitdirIn } from '../../../src/domain/sources/git/transport/git-objects.ts';
import { MAX_PACK_BYTES } from '../../../src/domain/sources/git/transport/http-client.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import type { GitRepository } from '../../git-server.ts';
import { world } from '../../world.ts';
import { edit, gitServer, markdownAt, newSpace, pageAt, pagesIn, settleGit, sync } from './arrange.ts';

const { admin, organizationId, app } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const server = await gitServer();

let names = 0;
async function repository(files: Record<string, string | Uint8Array>): Promise<GitRepository> {
  const made = await server.repository(`hostile-${names++}`);
  await made.commit(files);
  return made;
}

async function imported(docs: GitRepository): Promise<string> {
  const spaceId = await newSpace(admin, organizationId);
  expect(await sync(admin, spaceId, 'import', { url: docs.url })).toMatchObject({ status: 'completed' });
  return spaceId;
}

const exported = (spaceId: string, { url }: GitRepository) => sync(admin, spaceId, 'export', { url });

const HOME = { 'README.md': '# Home\n\nText.\n', 'SUMMARY.md': '* [Home](README.md)\n' };

test('new pages and files replace neither symbolic links nor submodules', async () => {
  const docs = await repository({ ...HOME, '.gitbook/assets': 'no directory' });
  await docs.commitEntry('new.md', { mode: '120000', content: '../outside' });
  await docs.commitEntry('section', { mode: '160000', content: '1'.repeat(40) });
  const spaceId = await imported(docs);
  const before = await docs.entries();
  await edit(admin, spaceId, [
    { insertPage: { title: 'New', document: { markdown: 'New.' } } },
    { insertPage: { title: 'Section', ref: 'section', document: { markdown: 'Section.' } } },
    { insertPage: { title: 'Child', parentId: 'section', document: { markdown: 'Child.' } } },
    { insertFiles: { files: [{ name: 'a.txt', base64: 'YQ==' }] } },
  ]);
  expect(await exported(spaceId, docs)).toMatchObject({ status: 'completed' });
  const after = await docs.entries();
  for (const path of ['new.md', 'section', '.gitbook/assets']) expect(after.get(path)).toEqual(before.get(path));
  expect([...after.keys()]).toEqual(
    expect.arrayContaining(['new-2.md', 'section-2/README.md', 'section-2/child.md', 'assets/a.txt']),
  );
  expect(await exported(spaceId, docs)).toMatchObject({ filesChanged: 0 });
});

test('an export that would have to replace a symbolic link fails and names it', async () => {
  const docs = await repository({ 'README.md': '# Home\n' });
  await docs.commitEntry('SUMMARY.md', { mode: '120000', content: 'docs/SUMMARY.md' });
  const spaceId = await imported(docs);
  await edit(admin, spaceId, [{ insertPage: { title: 'New', document: { markdown: 'New.' } } }]);
  const run = await exported(spaceId, docs);
  expect(run).toMatchObject({ status: 'failed', reason: expect.stringContaining('"SUMMARY.md"') });
});

test('names that are not UTF-8 or not allowed stay in the branch byte for byte, and are reported', async () => {
  const docs = await repository(HOME);
  const strange = [Buffer.from('caf\xe9.md', 'latin1'), Buffer.from('a\\b.md'), Buffer.from('git~1')];
  for (const name of strange) await docs.commitNamed(name, 'Strange.');
  const spaceId = await newSpace(admin, organizationId);
  const { report } = await sync(admin, spaceId, 'import', { url: docs.url });
  expect(report.map(({ message }: { message: string }) => message)).toEqual(
    expect.arrayContaining([expect.stringContaining('not UTF-8'), expect.stringContaining('not allowed')]),
  );
  const before = await docs.entries('latin1');
  const pageId = await pageAt(admin, spaceId, 'home');
  await edit(admin, spaceId, [{ updatePage: { pageId, document: { markdown: 'Edited.' } } }]);
  expect(await exported(spaceId, docs)).toMatchObject({ status: 'completed', filesChanged: 1 });
  const after = await docs.entries('latin1');
  expect(new Map([...after].filter(([path]) => path !== 'README.md'))).toEqual(
    new Map([...before].filter(([path]) => path !== 'README.md')),
  );
});

test('bytes that are not UTF-8 stay until their page is edited, also when it moves', async () => {
  const latin = Buffer.from('# Old\n\nCaf\xe9.\n', 'latin1');
  const docs = await repository({ ...HOME, 'old.md': latin, 'SUMMARY.md': '* [Home](README.md)\n* [Old](old.md)\n' });
  const spaceId = await imported(docs);
  const pageId = await pageAt(admin, spaceId, 'old');
  await edit(admin, spaceId, [{ insertPage: { title: 'New', document: { markdown: 'New.' } } }]);
  await exported(spaceId, docs);
  expect(await docs.bytes('old.md')).toEqual(latin);
  await edit(admin, spaceId, [{ updatePage: { pageId, slug: 'moved' } }]);
  await exported(spaceId, docs);
  expect(await docs.bytes('moved.md')).toEqual(latin);
});

test('files whose names differ only in case or normalization stay apart', async () => {
  const composed = 'caf\u00e9.md';
  const decomposed = 'cafe\u0301.md';
  const files = { 'A.md': '# A\n', 'a.md': '# a\n', [composed]: '# Composed\n', [decomposed]: '# Decomposed\n' };
  const summary = Object.entries(files)
    .map(([path, text]) => `* [${text.slice(2, -1)}](${path})\n`)
    .join('');
  const docs = await repository({ ...HOME, ...files, 'SUMMARY.md': `* [Home](README.md)\n${summary}` });
  const spaceId = await imported(docs);
  expect(await exported(spaceId, docs)).toMatchObject({ filesChanged: 0 });
  const pages = await pagesIn(admin, spaceId);
  const page = (title: string) => pages.find((each) => each.title === title)?.id;
  for (const title of ['A', 'a', 'Composed', 'Decomposed']) {
    await edit(admin, spaceId, [{ updatePage: { pageId: page(title), document: { markdown: `Text of ${title}.` } } }]);
  }
  expect(await exported(spaceId, docs)).toMatchObject({ status: 'completed', filesChanged: 4 });
  expect(await docs.files()).toMatchObject({
    'A.md': '# A\n\nText of A.\n',
    'a.md': '# a\n\nText of a.\n',
    [composed]: '# Composed\n\nText of Composed.\n',
    [decomposed]: '# Decomposed\n\nText of Decomposed.\n',
  });
});

test('a table of contents that names a file twice or a missing one, merge markers and CRLF stay as they are', async () => {
  const files = {
    'README.md': '# Home\r\n\r\n<<<<<<< ours\r\nOne.\r\n=======\r\nTwo.\r\n>>>>>>> theirs\r\n',
    'SUMMARY.md':
      '# Table of contents\r\n\r\n* [Home](README.md)\r\n* [Twice](a.md)\r\n* [Again](a.md)\r\n* [Missing](gone.md)\r\n',
    'a.md': '# Twice\r\n\r\nText.\r\n\r\nMore.\r\n',
  };
  const docs = await repository(files);
  const spaceId = await imported(docs);
  expect(await exported(spaceId, docs)).toMatchObject({ status: 'completed', filesChanged: 0 });
  expect(await docs.files()).toEqual(files);
  const pageId = await pageAt(admin, spaceId, 'a');
  await edit(admin, spaceId, [{ updatePage: { pageId, document: { markdown: 'Text.\n\nMore and more.' } } }]);
  await exported(spaceId, docs);
  expect(await docs.files()).toEqual({ ...files, 'a.md': '# Twice\r\n\r\nText.\r\n\r\nMore and more.\r\n' });
});

test('files that cannot be exported are reported, stay in the space, and are exported once they can be', async () => {
  const docs = await repository(HOME);
  const spaceId = await imported(docs);
  await edit(admin, spaceId, [
    { insertFiles: { files: [{ name: 'missing.txt', base64: 'bWlzc2luZw==' }] } },
    { insertFiles: { files: [{ name: 'small.txt', base64: 'c21hbGw=' }] } },
  ]);
  const filesOf = async () => (await admin.get(`/v1/spaces/${spaceId}/content/files`)).body.items;
  const { storage } = app.services;
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('missing')));
  await storage.remove(hash, new Date(Date.now() + 60_000));
  const run = await exported(spaceId, docs);
  expect(run.report).toMatchObject([
    { file: 'missing.txt', outcome: 'dropped', message: expect.stringContaining('missing in the storage') },
  ]);
  expect(Object.keys(await docs.files())).toEqual(['.gitbook/assets/small.txt', 'README.md', 'SUMMARY.md']);
  const before = await filesOf();
  await docs.commit({ 'README.md': '# Home\n\nText of the branch.\n' });
  expect(await sync(admin, spaceId, 'import', { url: docs.url })).toMatchObject({ status: 'completed' });
  expect(await filesOf()).toEqual(before);
  await storage.write(Readable.from([Buffer.from('missing')]), 100);
  expect(await exported(spaceId, docs)).toMatchObject({ status: 'completed', filesChanged: 1 });
  expect((await docs.files())['.gitbook/assets/missing.txt']).toBe('missing');
});

test('files that would make the branch too large for imports are left out', async () => {
  const docs = await repository(HOME);
  const spaceId = await imported(docs);
  await edit(admin, spaceId, [{ insertFiles: { files: [{ name: 'a.txt', base64: 'YQ==' }] } }]);
  const { revisionId } = await app.services.db
    .selectFrom('space')
    .where('id', '=', spaceId)
    .select('revisionId')
    .executeTakeFirstOrThrow();
  const noted: string[] = [];
  const ctx = jobContext(app.services, 'test');
  const filesFor = (packRoom: number) =>
    loadRow(ctx.db, revisionId).then((revision) =>
      exportableFiles(ctx, revision, {
        branch: undefined,
        fetched: { commit: null, files: [], skipped: [], packRoom },
        watch: { note: (lines) => noted.push(...lines.map(({ file }) => file)) },
      }),
    );
  expect(await filesFor(MAX_PACK_BYTES)).toMatchObject({ files: [{ name: 'a.txt' }], leftOut: [] });
  expect(await filesFor(0)).toMatchObject({ files: [], leftOut: [expect.any(String)] });
  expect(noted).toEqual(['a.txt']);
});

test('a text that would be too large for imports is a failure that names the file', async () => {
  const docs = await repository(HOME);
  const folder = join(docs.gitdir, '..');
  const place = join(folder, 'large');
  await writeFile(place, Buffer.alloc(33 * 1024 * 1024));
  const author = { name: 'Ann', email: 'ann@example.com' };
  expect(gitdirIn(folder)).not.toBe(docs.gitdir);
  const input = {
    directory: '',
    folder,
    parent: null,
    changes: [{ path: 'docs/large.md', place }],
    message: 'Large',
    author,
    committer: author,
    timestamp: 0,
  };
  expect(await commit(input, () => {})).toMatchObject({
    fault: { code: 'TOO_LARGE', message: expect.stringContaining('"docs/large.md"') },
  });
});

test.each([
  ['a user name and a password', 'http://ann:secret@127.0.0.1:9/docs.git', 'must not contain a user name or password'],
  ['a file', 'file:///etc', 'must begin with http:// or https://'],
  ['another protocol of Git', 'ssh://git@127.0.0.1/docs.git', 'must begin with http:// or https://'],
])('a repository that redirects to %s is not followed', async (_what, address, message) => {
  const docs = await repository(HOME);
  docs.redirectsTo = address;
  const spaceId = await newSpace(admin, organizationId);
  const run = await sync(admin, spaceId, 'import', { url: docs.url });
  expect(run).toMatchObject({ status: 'failed', reason: expect.stringContaining(message) });
  expect(JSON.stringify(run)).not.toContain('secret');
  expect(new Set(docs.requests).size).toBe(1);
});

test('a repository that moved is read where it is, without credentials if the origin is another one', async () => {
  const [moved, docs] = [await repository(HOME), await repository(HOME)];
  const elsewhere = new URL(docs.url);
  elsewhere.hostname = 'localhost'; // the same server by another origin
  moved.redirectsTo = elsewhere.href;
  const url = moved.url.replace('http://', 'http://ann:secret@');
  docs.credentials = 'ann:secret';
  const spaceId = await newSpace(admin, organizationId);
  const refused = await admin.post(`/v1/spaces/${spaceId}/git/import`, { url, ref: 'refs/heads/main' });
  expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('401') } } });
  expect(docs.requests).toEqual([expect.stringContaining('/info/refs')]);
  docs.credentials = undefined;
  expect(await sync(admin, spaceId, 'import', { url })).toMatchObject({ status: 'completed' });
  expect(await markdownAt(admin, spaceId, 'home')).toBe('Text.\n');
});

test('a repository that was renamed on its server is read and written by its former address', async () => {
  const [renamed, docs] = [await repository(HOME), await repository(HOME)];
  renamed.redirectsTo = docs.url;
  docs.credentials = 'ann:secret';
  const url = renamed.url.replace('http://', 'http://ann:secret@');
  const spaceId = await newSpace(admin, organizationId);
  expect(await sync(admin, spaceId, 'import', { url })).toMatchObject({ status: 'completed' });
  const pageId = await pageAt(admin, spaceId, 'home');
  await edit(admin, spaceId, [{ updatePage: { pageId, document: { markdown: 'Edited.' } } }]);
  expect(await sync(admin, spaceId, 'export', { url })).toMatchObject({ status: 'completed', filesChanged: 1 });
  expect((await docs.files())['README.md']).toBe('# Home\n\nEdited.\n');
});

test('refuses packs with a million objects by their header', () => {
  const header = Buffer.from('5041434b0000000200000000', 'hex');
  header.writeUInt32BE(1_000_000, 8);
  expect(() => rejectLargePack(header)).toThrow('1000000 objects');
  header.writeUInt32BE(250_000, 8);
  rejectLargePack(header);
});

test('a pack of gigabytes is not received to its end, and the space keeps its pages', async () => {
  const docs = await repository(HOME);
  const spaceId = await imported(docs);
  await docs.commit({ 'README.md': '# Home\n\nNew.\n' });
  docs.isEndless = true;
  const run = await sync(admin, spaceId, 'import', { url: docs.url });
  expect(run).toMatchObject({ status: 'failed', reason: expect.stringContaining('larger than the allowed') });
  expect(docs.sentBytes).toBeGreaterThan(0.9 * MAX_PACK_BYTES);
  expect(docs.sentBytes).toBeLessThan(1.2 * MAX_PACK_BYTES);
  expect(await markdownAt(admin, spaceId, 'home')).toBe('Text.\n');
  docs.isEndless = false;
  expect(await sync(admin, spaceId, 'import', { url: docs.url })).toMatchObject({ status: 'completed' });
  expect(await markdownAt(admin, spaceId, 'home')).toBe('New.\n');
});

test('an import from another branch is not merged over what the former one had', async () => {
  const docs = await repository({ ...HOME, 'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n', 'a.md': '# A\n' });
  await docs.commit({ ...HOME, 'a.md': '# A\n', 'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n' }, 'other', 'Other');
  const spaceId = await imported(docs);
  const home = await pageAt(admin, spaceId, 'home');
  // What is deleted for the one branch is not deleted for the other.
  await edit(admin, spaceId, [{ deletePage: { pageId: await pageAt(admin, spaceId, 'a') } }]);
  const run = await sync(admin, spaceId, 'import', { url: docs.url, ref: 'refs/heads/other' });
  expect(run).toMatchObject({ status: 'completed' });
  expect((await pagesIn(admin, spaceId)).map(({ title }) => title)).toEqual(['Home', 'A']);
  expect(await pageAt(admin, spaceId, 'home')).toBe(home);
  expect(await markdownAt(admin, spaceId, 'home')).toBe('Text.\n');
});

test('a run whose job is lost ends, and the next one of the space is done', async () => {
  const docs = await repository(HOME);
  const spaceId = await newSpace(admin, organizationId);
  const { db } = app.services;
  const start = () => admin.post(`/v1/spaces/${spaceId}/git/import`, { url: docs.url, ref: 'refs/heads/main' });
  await start();
  const lost = await db.selectFrom('git_run').where('spaceId', '=', spaceId).select('id').executeTakeFirstOrThrow();
  const silentSince = (updatedAt: number) =>
    db
      .updateTable('git_run')
      .set({ status: 'in-progress', updatedAt: new Date(updatedAt).toISOString() })
      .where('id', '=', lost.id)
      .execute();
  const endLost = () =>
    endLostGitRuns.run(jobContext(app.services, 'test'), {}, { signal: new AbortController().signal, retries: 0 });
  const statusOf = async () => (await admin.get(`/v1/spaces/${spaceId}/git/runs/${lost.id}`)).body.status;
  await silentSince(Date.now() - 3 * 60_000);
  await endLost();
  expect(await statusOf()).toBe('in-progress'); // its job is queued
  await app.services.jobs.boss.deleteAllJobs('run-git');
  await silentSince(Date.now() - 60_000);
  await endLost();
  expect(await statusOf()).toBe('in-progress'); // its job could have just begun
  await silentSince(Date.now() - 3 * 60_000);
  await start();
  await endLost();
  expect(await statusOf()).toBe('failed');
  expect(await settleGit(admin, spaceId)).toMatchObject({ status: 'completed' });
});
