import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { DAY_MS } from '../../../lib/durations.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { separateParts } from '../../../platform/jobs/parts.ts';
import { inTransaction } from '../../../platform/operation/transact.ts';
import { tryLockContentExclusive } from '../../store/heads/index.ts';
import { CONTENT_TABLES, type ContentTable } from './content-tables.ts';
import {
  beginMarks,
  type CollectionRun,
  expandMarks,
  hasMarks,
  markRevisions,
  markUploads,
  removeMarks,
} from './mark-content.ts';

/** Rows younger than this are kept even if they are unreachable. */
export const GRACE_MS = DAY_MS;

/** Marks older than this belong to runs that died. */
const DEAD_AFTER_MS = 2 * DAY_MS;

/** Number of rows that one statement examines. */
const ROWS_PER_SCAN = 5_000;

/** Number of rows that one statement deletes. */
const ROWS_PER_DELETION = 500;

/**
 * Number of unreachable rows that are found before the exclusive content lock of the organization is taken. Under the
 * lock, all revisions are examined again; with many revisions, that takes far longer than deleting a slice.
 */
const MIN_UNREACHABLE_ROWS = 5_000;

/**
 * Time after which no further slice is deleted under the same lock. Writers wait meanwhile, and the rows of documents,
 * which have many sections and references, take the longest.
 */
const DELETING_MS = 1_000;

/**
 * Number of attempts to get the exclusive content lock, and the time between them. The lock is never waited for,
 * because that would block all writers.
 */
const MAX_LOCK_ATTEMPTS = 60;
const WAIT_MS = 250;

/** Maximum number of revisions that are marked under the lock. */
const CATCH_UP_REVISIONS = 1_000;

/**
 * Maximum number of steps that follow references under the lock. Content written since marking ended is usually little;
 * otherwise it is marked before the next attempt.
 */
const CATCH_UP_STEPS = 20;

/**
 * Deletes content that revisions and uploads no longer reach, for example of deleted spaces and failed imports. First
 * it marks reachable content without blocking anyone. Then, a bounded number of rows at a time and under an exclusive
 * lock on the content of the organization, it marks rows that were written meanwhile and deletes unmarked ones. Rows
 * that are referred to are therefore never deleted. An organization whose collection fails does not keep the others
 * from being collected; the job fails in the end.
 */
export const collectContent = defineJob(
  'collect-content',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const parts = separateParts(ctx, signal);
    await parts.run({}, () => removeDeadMarks(ctx, signal));
    for (let after = ''; ; ) {
      const next = await ctx.db
        .selectFrom('organization')
        .where('id', '>', after)
        .orderBy('id')
        .select('id')
        .limit(1)
        .executeTakeFirst();
      if (!next) break;
      await parts.run({ organizationId: next.id }, () => collectOf(ctx, next.id, signal));
      after = next.id;
    }
    parts.throwIfFailed();
  },
  { cron: '17 3 * * *', expiresIn: 6 * 60 * 60, retries: 1 },
);

/** Collects one organization. Returns the number of deleted rows. */
export async function collectOf(ctx: Context, organizationId: string, signal: AbortSignal): Promise<number> {
  const run = { runId: `${new Date().toISOString()} ${randomUUID()}`, organizationId };
  await beginMarks(ctx.db, run);
  try {
    await markAll(ctx.db, run, signal);
    let removed = 0;
    for (const table of CONTENT_TABLES) removed += await sweep(ctx, run, table, signal);
    if (removed > 0) ctx.log.info({ organizationId, removed }, 'deleted unreachable content');
    return removed;
  } finally {
    await removeMarks(ctx.db, run.runId);
  }
}

async function markAll(db: Database, run: CollectionRun, signal: AbortSignal): Promise<void> {
  await markUploads(db, run);
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal.throwIfAborted();
    after = (await markRevisions(db, run, after)).last;
  }
  do signal.throwIfAborted();
  while (await expandMarks(db, run));
}

async function sweep(ctx: Context, run: CollectionRun, table: ContentTable, signal: AbortSignal): Promise<number> {
  let removed = 0;
  let unreached: Buffer[] = [];
  for (let after: Buffer | null = Buffer.alloc(0); after; ) {
    signal.throwIfAborted();
    const batch = await lookThrough(ctx, run, table, after);
    unreached.push(...batch.unreached);
    after = batch.last;
    if (after && unreached.length < MIN_UNREACHABLE_ROWS) continue;
    removed += await removeUnreached(ctx, run, table, { hashes: unreached, signal });
    unreached = [];
  }
  return removed;
}

/** The next hashes in order: the last one examined, and those without a mark. */
async function lookThrough(ctx: Context, run: CollectionRun, table: ContentTable, after: Buffer) {
  const { rows } = await sql<{ last: Buffer | null; unreached: Buffer[] | null }>`
    with seen as materialized (
      select t.hash ${table.hasTime ? sql`, t.created_at` : sql``} from ${sql.table(table.name)} t
      where t.organization_id = ${run.organizationId} and t.hash > ${after} order by t.hash limit ${sql.lit(ROWS_PER_SCAN)}
    )
    select (select s.hash from seen s order by s.hash desc limit 1) as last,
      (select array_agg(t.hash) from seen t where ${isUnreached(ctx, run, table)}) as unreached`.execute(ctx.db);
  return { last: rows[0]?.last ?? null, unreached: rows[0]?.unreached ?? [] };
}

/**
 * Whether the row `t` has no mark of this run and is old enough. `offset 0` forces an index lookup per row, because
 * PostgreSQL has no statistics about fresh marks to plan a join with.
 */
function isUnreached(ctx: Context, { runId }: CollectionRun, { kinds, hasTime }: ContentTable) {
  const since = new Date(ctx.services.clock().getTime() - GRACE_MS).toISOString();
  return sql<boolean>`not exists (
      select from content_mark m where m.run_id = ${runId} and m.kind = any(${[...kinds]}::text[]) and m.hash = t.hash offset 0)
    ${hasTime ? sql`and t.created_at < ${since}::timestamptz` : sql``}`;
}

type Found = { hashes: readonly Buffer[]; signal: AbortSignal };

/** Deletes rows that were found unreached, under as few locks as possible. Returns the number of deleted rows. */
async function removeUnreached(
  ctx: Context,
  run: CollectionRun,
  table: ContentTable,
  { hashes, signal }: Found,
): Promise<number> {
  let removed = 0;
  let tries = 0;
  for (let at = 0; at < hashes.length; ) {
    signal.throwIfAborted();
    const rest = hashes.slice(at);
    const done = await inTransaction(ctx, (inside) => removeAlone(inside, run, table, { hashes: rest, signal }));
    if (done) {
      removed += done.removed;
      at += done.looked;
      tries = 0;
      continue;
    }
    // With constant writes, the rows are left to the next run.
    if (++tries === MAX_LOCK_ATTEMPTS) break;
    await sleep(WAIT_MS, undefined, { signal });
    await markAll(ctx.db, run, signal);
  }
  return removed;
}

/**
 * Deletes the first of these rows, as many as time allows. Returns the numbers of rows that it has looked at and
 * deleted. Undefined if it has to be retried: others are writing, or wrote so much that it must be marked first.
 */
async function removeAlone(ctx: Context, run: CollectionRun, table: ContentTable, { hashes, signal }: Found) {
  const { db } = ctx;
  if (!(await tryLockContentExclusive(ctx, run.organizationId))) return undefined;
  if (!(await hasMarks(db, run))) throw new Error('The marks of this run are gone; the next run starts over.');
  if (!(await catchUp(db, run, signal))) return undefined;
  const begun = performance.now();
  let removed = 0;
  let looked = 0;
  do {
    signal.throwIfAborted();
    const slice = hashes.slice(looked, looked + ROWS_PER_DELETION);
    removed += await removeSlice(ctx, run, table, slice);
    looked += slice.length;
  } while (looked < hashes.length && performance.now() - begun < DELETING_MS);
  return { looked, removed };
}

async function removeSlice(
  ctx: Context,
  run: CollectionRun,
  table: ContentTable,
  hashes: readonly Buffer[],
): Promise<number> {
  const { rows } = await sql<{ hash: Buffer }>`
    delete from ${sql.table(table.name)} t
    where t.organization_id = ${run.organizationId} and t.hash = any(${hashes}::bytea[]) and ${isUnreached(ctx, run, table)}
    returning t.hash`.execute(ctx.db);
  const removed = rows.map(({ hash }) => hash);
  for (const detail of table.details) {
    await sql`
      delete from ${sql.table(detail)}
      where organization_id = ${run.organizationId} and document_hash = any(${removed}::bytea[])`.execute(ctx.db);
  }
  return removed.length;
}

/** Marks rows that were written since. Returns false if that takes longer than writers should be blocked. */
async function catchUp(db: Database, run: CollectionRun, signal: AbortSignal): Promise<boolean> {
  await markUploads(db, run);
  let fresh = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal.throwIfAborted();
    const marked = await markRevisions(db, run, after);
    fresh += marked.fresh;
    if (fresh > CATCH_UP_REVISIONS) return false;
    after = marked.last;
  }
  for (let step = 0; step < CATCH_UP_STEPS; step++) if (!(await expandMarks(db, run))) return true;
  return false;
}

/** Removes the marks of runs that were killed. */
async function removeDeadMarks({ db }: Context, signal: AbortSignal): Promise<void> {
  const before = new Date(Date.now() - DEAD_AFTER_MS).toISOString();
  for (;;) {
    signal.throwIfAborted();
    const oldest = await db
      .selectFrom('content_mark')
      .where('runId', '<', before)
      .orderBy('runId')
      .select('runId')
      .limit(1)
      .executeTakeFirst();
    if (!oldest) return;
    await removeMarks(db, oldest.runId);
  }
}
