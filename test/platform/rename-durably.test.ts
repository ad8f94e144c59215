import { readlinkSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeSecretKey } from '../../src/platform/data-dir/secret-key.ts';
import { makeDirectoryDurably, renameDurably } from '../../src/platform/disk/rename-durably.ts';
import { blobName } from '../../src/platform/storage/blob-name.ts';
import { acceptFiles } from '../../src/platform/storage/claim-files.ts';
import { directoryStorage } from '../../src/platform/storage/directory-storage.ts';

/** An empty directory, and the paths of what is synchronized through file handles. */
async function place(): Promise<{ root: string; synced: string[] }> {
  const root = await mkdtemp(join(tmpdir(), 'stemma-durable-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await using handle = await open(root);
  const synced: string[] = [];
  const { sync } = handle;
  vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync').mockImplementation(async function (this: FileHandle) {
    synced.push(readlinkSync(`/proc/self/fd/${this.fd}`));
    await sync.call(this);
  });
  return { root, synced };
}

test('a stored file is there after a power failure: its directory is synchronized, and a new one in the one above', async () => {
  const { root, synced } = await place();
  const storage = directoryStorage(join(root, 'files'));
  const { hash } = await storage.write(Readable.from([Buffer.from('content')]), 100);
  const directory = dirname(join(root, 'files', blobName(hash)));
  expect(synced).toEqual(expect.arrayContaining([directory, dirname(directory)]));
});

test('the names of the secret key and of the owner of files are synchronized', async () => {
  const { root, synced } = await place();
  await makeSecretKey({ path: root });
  expect(synced.at(-1)).toBe(root);
  await acceptFiles({ kind: 'directory', path: join(root, 'files') }, 'installation');
  expect(synced).toContain(join(root, 'files'));
});

test('all directories that are made are synchronized in those above, and none that exists', async () => {
  const { root, synced } = await place();
  await makeDirectoryDurably(join(root, 'a', 'b'), 0o700);
  expect(synced).toEqual([join(root, 'a'), root]);
  await makeDirectoryDurably(join(root, 'a', 'b'), 0o700);
  expect(synced).toHaveLength(2);
});

test.each(['EINVAL', 'ENOTSUP', 'ENOSYS'])(
  'a directory that answers %s to being synchronized is no error',
  async (code) => {
    const { root } = await place();
    await using handle = await open(root);
    vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync').mockRejectedValue(
      Object.assign(new Error(code), { code }),
    );
    await writeFile(join(root, 'draft'), 'content');
    await renameDurably(join(root, 'draft'), join(root, 'file'));
    expect(await readFile(join(root, 'file'), 'utf8')).toBe('content');
  },
);

test('a rename that fails is an error', async () => {
  const { root } = await place();
  await expect(renameDurably(join(root, 'absent'), join(root, 'new'))).rejects.toThrow('ENOENT');
});
