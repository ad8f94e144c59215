import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

/**
 * Bytes are left alone for so long after they were last written. Whoever is going to refer to bytes writes them, again if they
 * are there, or takes them from an upload or a file, whose row keeps them: so this only has to be longer than an upload lives.
 */
export const BYTES_GRACE_MS = 7 * 24 * 60 * 60 * 1_000;

const BATCH = 500;

/** Removes stored bytes that no file and no upload of any organization has. */
export const removeUnusedBytes = defineJob(
  'remove-unused-bytes',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const { storage } = ctx.services;
    let batch: Buffer[] = [];
    for await (const hash of storage.list()) {
      signal.throwIfAborted();
      batch.push(hash);
      if (batch.length < BATCH) continue;
      await removeUnused(ctx, batch);
      batch = [];
    }
    await removeUnused(ctx, batch);
  },
  { cron: '47 1 * * 0', expiresIn: 6 * 60 * 60, retries: 1 },
);

async function removeUnused(ctx: Context, hashes: Buffer[]): Promise<void> {
  if (hashes.length === 0) return;
  const { rows } = await sql<{ hash: Buffer }>`
    select w.hash from unnest(${hashes}::bytea[]) as w(hash)
    where not exists (select from blob b where b.hash = w.hash) and not exists (select from upload u where u.blob_hash = w.hash)`.execute(
    ctx.db,
  );
  const since = new Date(ctx.services.clock().getTime() - BYTES_GRACE_MS);
  for (const { hash } of rows) await ctx.services.storage.remove(hash, since);
}
