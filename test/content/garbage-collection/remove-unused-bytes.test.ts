import { createHash } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import {
  BYTES_GRACE_MS,
  removeUnusedBytes,
} from '../../../src/domain/content/garbage-collection/remove-unused-bytes.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { world } from '../../world.ts';

const { app, admin, outsider, organizationId, otherOrganizationId, advance } = await world();
const { db, storage } = app.services;

const run = () =>
  removeUnusedBytes.run(jobContext(app.services, 'job-test'), {}, { signal: new AbortController().signal, retries: 0 });

const hashOf = (text: string) => createHash('sha256').update(text).digest();
const isThere = async (text: string) => {
  const stream = await storage.read(hashOf(text));
  stream?.destroy();
  return stream !== undefined;
};
const HOUR = 3_600_000;

const pathOf = (text: string) => {
  const name = hashOf(text).toString('hex');
  return join(app.services.config.dataDir, 'blobs', name.slice(0, 2), name);
};

const put = (text: string) => storage.write(Readable.from([Buffer.from(text)]), 1_000);

async function insert(client: typeof admin, organization: string, text: string): Promise<void> {
  const { space } = await client.mutate('createSpace', { organizationId: organization }, 'space { id }');
  const changes = [{ insertFiles: { files: [{ name: 'a.txt', base64: Buffer.from(text).toString('base64') }] } }];
  await client.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
}

test('removes old bytes that no file and no upload uses', async () => {
  await insert(admin, organizationId, 'in a file');
  await insert(admin, organizationId, 'in two');
  await insert(outsider, otherOrganizationId, 'in two');
  await admin.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.from('sent ahead'), {
    'content-type': 'text/plain',
  });
  await put('left behind');
  await run();
  expect(await isThere('left behind')).toBe(true);

  advance(BYTES_GRACE_MS + 60_000);
  await put('left behind just now');
  await db
    .deleteFrom('blob')
    .where('organizationId', '=', organizationId)
    .where('hash', '=', hashOf('in two'))
    .execute();
  await run();
  expect(await Promise.all(['in a file', 'in two', 'sent ahead', 'left behind'].map(isThere))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  await db.deleteFrom('blob').where('hash', '=', hashOf('in two')).execute();
  await run();
  expect(await isThere('in two')).toBe(false);
});

test('bytes that are written again at the same time are kept', async () => {
  for (let round = 0; round < 30; round++) {
    const text = `again ${round}`;
    await put(text);
    const since = new Date(Date.now() - HOUR);
    await utimes(pathOf(text), since, new Date(since.getTime() - HOUR));
    await Promise.all([storage.remove(hashOf(text), since), put(text)]);
    expect(await isThere(text)).toBe(true);
  }
});

test('lists the stored bytes, and nothing else', async () => {
  await put('listed');
  const hashes: string[] = [];
  for await (const hash of storage.list()) hashes.push(hash.toString('hex'));
  expect(hashes).toContain(hashOf('listed').toString('hex'));
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(await storage.remove(hashOf('never stored'), new Date())).toBe(false);
});
