import { sql } from 'kysely';
import { z } from 'zod';
import { DAY_MS } from '../../../lib/durations.ts';
import type { Context } from '../../../platform/context/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

/**
 * Blobs are kept for this time after they were last written. A writer that is going to refer to a blob either writes it
 * (again, if it exists) or takes it from an upload or a file whose row keeps it, so the time only has to exceed the
 * lifetime of an upload.
 */
export const BYTES_GRACE_MS = 7 * DAY_MS;

const HASHES_PER_BATCH = 500;

/**
 * Removes stored blobs that no file and no upload of any organization uses. Several processes can do this at a time,
 * while others write the same bytes.
 */
export const removeUnusedBytes = defineJob(
  'remove-unused-bytes',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const { storage } = ctx.services;
    let batch: Buffer[] = [];
    for await (const hash of storage.list()) {
      signal.throwIfAborted();
      batch.push(hash);
      if (batch.length < HASHES_PER_BATCH) continue;
      await removeUnused(ctx, batch, signal);
      batch = [];
    }
    await removeUnused(ctx, batch, signal);
    await storage.tidy((hashes) => usedOf(ctx, hashes), graceOf(ctx), signal);
  },
  { cron: '47 1 * * 0', expiresIn: 6 * 60 * 60, retries: 1 },
);

async function removeUnused(ctx: Context, hashes: Buffer[], signal: AbortSignal): Promise<void> {
  if (hashes.length === 0) return;
  const used = new Set((await usedOf(ctx, hashes)).map((hash) => hash.toString('hex')));
  for (const hash of hashes) {
    signal.throwIfAborted();
    if (!used.has(hash.toString('hex'))) await ctx.services.storage.remove(hash, graceOf(ctx));
  }
}

/** The hashes that a file or an upload uses. */
async function usedOf(ctx: Context, hashes: Buffer[]): Promise<Buffer[]> {
  const { rows } = await sql<{ hash: Buffer }>`
    select w.hash from unnest(${hashes}::bytea[]) as w(hash)
    where exists (select from blob b where b.hash = w.hash) or exists (select from upload u where u.blob_hash = w.hash)`.execute(
    ctx.db,
  );
  return rows.map(({ hash }) => hash);
}

const graceOf = (ctx: Context) => new Date(ctx.services.clock().getTime() - BYTES_GRACE_MS);
