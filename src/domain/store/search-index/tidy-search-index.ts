import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { type JobParts, separateParts } from '../../../platform/jobs/parts.ts';
import { inTransaction } from '../../../platform/operation/transact.ts';
import { FIRST_PLACE, findMissing, indexBatch, type PageBatch, type PagePlace } from './index-missing.ts';
import { findUnused, removeUnused } from './remove-unused.ts';

/**
 * Indexes pages with no index entry or an outdated one, and deletes entries that pages no longer use, such as those of
 * edited, deleted and renamed pages. It looks at all pages and entries, a few thousand in each statement. Pages that
 * cannot be indexed keep neither the others from being indexed nor entries from being deleted; the job fails in the
 * end.
 */
export const tidySearchIndex = defineJob(
  'tidy-search-index',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const parts = separateParts(ctx, signal);
    await parts.run({ step: 'index pages' }, () => indexAllMissing(ctx, parts, signal));
    await parts.run({ step: 'remove entries' }, () => removeAllUnused(ctx, signal));
    parts.throwIfFailed();
  },
  // The next run is soon, and starts over like a retry.
  { cron: '*/15 * * * *', expiresIn: 3_600, retries: 1 },
);

async function indexAllMissing(ctx: Context, parts: JobParts, signal: AbortSignal): Promise<void> {
  for (let after: PagePlace | undefined = FIRST_PLACE; after; ) {
    const from: PagePlace = after;
    const { last, batches } = await paced(signal, () => findMissing(ctx.db, from));
    for (const batch of batches) {
      signal.throwIfAborted();
      await indexPagesOf(ctx, batch, { parts, signal });
    }
    after = last;
  }
}

/** If the pages of a batch cannot be indexed together, each is indexed alone, so that one keeps no other from it. */
async function indexPagesOf(
  ctx: Context,
  { spaceId, pageIds }: PageBatch,
  { parts, signal }: { parts: JobParts; signal: AbortSignal },
): Promise<void> {
  const index = (ids: readonly string[]) => inTransaction(ctx, ({ db }) => indexBatch(db, { spaceId, pageIds: ids }));
  try {
    return await index(pageIds);
  } catch {
    for (const pageId of pageIds) {
      signal.throwIfAborted();
      await parts.run({ spaceId, pageId }, () => index([pageId]));
    }
  }
}

async function removeAllUnused(ctx: Context, signal: AbortSignal): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after;
    const { last, batches } = await paced(signal, () => findUnused(ctx.db, from));
    for (const batch of batches) {
      signal.throwIfAborted();
      await inTransaction(ctx, ({ db }) => removeUnused(db, batch));
    }
    after = last;
  }
}

/**
 * Looks through rows, and then pauses for as long as that took, so that it takes at most half of a connection's time.
 */
async function paced<Found>(signal: AbortSignal, look: () => Promise<Found>): Promise<Found> {
  signal.throwIfAborted();
  const begun = performance.now();
  const found = await look();
  await sleep(performance.now() - begun, undefined, { signal });
  return found;
}
