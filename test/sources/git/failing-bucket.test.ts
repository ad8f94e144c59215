import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { runGit } from '../../../src/domain/sources/git/runs/run-git.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { startS3 } from '../../platform/s3-service.ts';
import { world } from '../../world.ts';
import { edit, gitServer, newSpace, pagesIn, settleGit } from './arrange.ts';

vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
const s3 = await startS3();
afterAll(() => s3.close());
afterEach(() => s3.heal());

const { app, admin, organizationId } = await world({
  STORAGE_URL: `s3://blobs/docs?region=us-east-1&endpoint=${s3.url}`,
  STORAGE_TIMEOUT_MS: '1000',
  ALLOW_PRIVATE_NETWORK: '1',
  LOG_LEVEL: 'silent',
});
const server = await gitServer();

/** Earlier attempts at the last one. */
const LAST = 3;

let names = 0;

/** A space that has a file, and a branch with another. */
async function withFiles() {
  const repository = await server.repository(`bucket-${names++}`);
  const image = randomBytes(2_000);
  await repository.commit({ 'README.md': '# Home\n\n![](a.png)\n', 'a.png': image });
  const spaceId = await newSpace(admin, organizationId);
  const file = randomBytes(3_000).toString('base64');
  const headers = { 'content-type': 'application/octet-stream' };
  const upload = await admin.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.from(file), headers);
  await edit(admin, spaceId, [
    { insertFiles: { files: [{ name: 'plan.bin', uploadId: upload.body.id }] } },
    { insertPage: { title: 'Plan', document: { markdown: 'See the plan.' } } },
  ]);
  return { repository, spaceId, image, file };
}

async function begin(spaceId: string, direction: 'import' | 'export', url: string): Promise<void> {
  const message = direction === 'export' ? { commitMessage: 'Update the docs' } : {};
  const body = { ref: 'refs/heads/main', url, force: true, ...message };
  expect((await admin.post(`/v1/spaces/${spaceId}/git/${direction}`, body)).status).toBe(204);
}

/** One attempt at the run of a space, as a worker makes it. */
async function attempt(spaceId: string, retries: number): Promise<unknown> {
  const { id: gitRunId } = await runOf(spaceId);
  const work = { signal: new AbortController().signal, retries };
  return runGit.run(jobContext(app.services, 'test'), { gitRunId }, work);
}

const runOf = async (spaceId: string) => {
  const { body } = await admin.get(`/v1/spaces/${spaceId}/git/runs?limit=1`);
  return (await admin.get(`/v1/spaces/${spaceId}/git/runs/${body.items[0].id}`)).body;
};

const revisionOf = async (spaceId: string) => (await admin.get(`/v1/spaces/${spaceId}`)).body.revision;

const FAULTS: [what: string, fail: (pattern: RegExp) => void][] = [
  ['answers 503', (pattern) => s3.break(pattern, 503)],
  ['resets connections', (pattern) => s3.reset(pattern)],
  ['never answers', (pattern) => s3.hang(pattern)],
];

test.each(FAULTS)(
  'an import changes nothing while the bucket %s, and completes in a later attempt',
  async (_what, fail) => {
    const { repository, spaceId, image } = await withFiles();
    const before = await revisionOf(spaceId);
    await begin(spaceId, 'import', repository.url);
    fail(/^PUT /);
    await expect(attempt(spaceId, 0)).rejects.toThrow();
    expect(await runOf(spaceId)).toMatchObject({ status: 'in-progress' });
    expect(await revisionOf(spaceId)).toBe(before);
    s3.heal();
    expect(await settleGit(admin, spaceId)).toMatchObject({ status: 'completed' });
    expect((await pagesIn(admin, spaceId)).map(({ title }) => title)).toContain('Home');
    const { body } = await admin.get(`/v1/spaces/${spaceId}/content/files`);
    const { downloadURL } = body.items.find(({ name }: { name: string }) => name === 'a.png');
    expect(Buffer.from(await (await fetch(`${admin.url}${new URL(downloadURL).pathname}`)).arrayBuffer())).toEqual(
      image,
    );
  },
);

test.each(FAULTS)(
  'an export pushes nothing while the bucket %s, and completes in a later attempt',
  async (_what, fail) => {
    const { repository, spaceId, file } = await withFiles();
    const before = await repository.tip();
    await begin(spaceId, 'export', repository.url);
    fail(/^GET /);
    await expect(attempt(spaceId, 0)).rejects.toThrow();
    expect(await runOf(spaceId)).toMatchObject({ status: 'in-progress' });
    expect(await repository.tip()).toBe(before);
    s3.heal();
    expect(await settleGit(admin, spaceId)).toMatchObject({ status: 'completed' });
    const stored = Object.entries(await repository.files()).find(([path]) => path.endsWith('plan.bin'));
    expect(stored?.[1]).toEqual(file);
  },
);

test.each([
  ['import', /^PUT /],
  ['export', /^GET /],
] as const)(
  'an %s that no attempt completes can be tried again later, and changes nothing',
  async (direction, pattern) => {
    const { repository, spaceId } = await withFiles();
    const before = [await revisionOf(spaceId), await repository.tip()];
    await begin(spaceId, direction, repository.url);
    s3.break(pattern, 503);
    await expect(attempt(spaceId, LAST)).rejects.toThrow();
    expect(await runOf(spaceId)).toMatchObject({ status: 'failed', reason: 'The service is busy. Try again later.' });
    expect([await revisionOf(spaceId), await repository.tip()]).toEqual(before);
  },
);
