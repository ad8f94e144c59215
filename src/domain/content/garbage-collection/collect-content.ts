import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { inTransaction } from '../../../platform/transact.ts';
import { tryHoldContentAlone } from '../../store/heads/index.ts';
import { CONTENT_TABLES, type ContentTable } from './content-tables.ts';
import { beginMarks, expandMarks, hasMarks, markRoots, type Run, removeMarks } from './mark-content.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** What was written since is left alone, reachable or not. */
export const GRACE_MS = DAY_MS;

/** Marks of a run that began so long ago are nobody's any more. */
const DEAD_AFTER_MS = 2 * DAY_MS;

/** Rows that one statement looks through for unreachable ones. */
const WINDOW = 5_000;

/** Rows that one transaction removes, holding the content of the organization alone meanwhile. */
const SLICE = 500;

/** How often a slice tries to get the content alone, and how long it waits between. It never queues: that would stop all writers. */
const TRIES = 60;
const WAIT_MS = 250;

/** Steps of marking that one slice may take: what was written since marking ended is little, or is marked before the next try. */
const CATCH_UP_STEPS = 20;

/**
 * Removes content that no revision and no upload reaches any more: of removed spaces, of imports that broke off. It marks what
 * is reachable without keeping anybody waiting; then, slice by slice and alone with the content of the organization, it marks
 * what was written meanwhile and removes what is unmarked. So a row is never removed that something refers to.
 */
export const collectContent = defineJob(
  'collect-content',
  z.object({}),
  async (ctx, _data, { signal }) => {
    await removeDeadMarks(ctx);
    for (let after = ''; ; ) {
      const next = await ctx.db
        .selectFrom('organization')
        .where('id', '>', after)
        .orderBy('id')
        .select('id')
        .limit(1)
        .executeTakeFirst();
      if (!next) return;
      await collectOf(ctx, next.id, signal);
      after = next.id;
    }
  },
  { cron: '17 3 * * *', expiresIn: 6 * 60 * 60, retries: 1 },
);

/** Collects one organization; answers how many rows were removed. */
export async function collectOf(ctx: Context, organizationId: string, signal: AbortSignal): Promise<number> {
  const run = { runId: `${new Date().toISOString()} ${randomUUID()}`, organizationId };
  await beginMarks(ctx.db, run);
  try {
    await markAll(ctx.db, run, signal);
    let removed = 0;
    for (const table of CONTENT_TABLES) removed += await sweep(ctx, run, table, signal);
    if (removed > 0) ctx.log.info({ organizationId, removed }, 'unreachable content was removed');
    return removed;
  } finally {
    await removeMarks(ctx.db, run.runId);
  }
}

async function markAll(db: Database, run: Run, signal: AbortSignal): Promise<void> {
  do signal.throwIfAborted();
  while (await markRoots(db, run));
  do signal.throwIfAborted();
  while (await expandMarks(db, run));
}

async function sweep(ctx: Context, run: Run, table: ContentTable, signal: AbortSignal): Promise<number> {
  let removed = 0;
  for (let after: Buffer = Buffer.alloc(0); ; ) {
    signal.throwIfAborted();
    const found = await lookThrough(ctx, run, table, after);
    if (!found.last) return removed;
    for (let from = 0; from < found.unreached.length; from += SLICE) {
      removed += await removeSlice(ctx, run, table, { hashes: found.unreached.slice(from, from + SLICE), signal });
    }
    after = found.last;
  }
}

/** The hashes behind one, in order: the last that was looked at, and those without a mark. */
async function lookThrough(ctx: Context, run: Run, table: ContentTable, after: Buffer) {
  const { rows } = await sql<{ last: Buffer | null; unreached: Buffer[] | null }>`
    with seen as materialized (
      select t.hash ${table.hasTime ? sql`, t.created_at` : sql``} from ${sql.table(table.name)} t
      where t.organization_id = ${run.organizationId} and t.hash > ${after} order by t.hash limit ${sql.lit(WINDOW)}
    )
    select (select s.hash from seen s order by s.hash desc limit 1) as last,
      (select array_agg(t.hash) from seen t where ${isUnreached(ctx, run, table)}) as unreached`.execute(ctx.db);
  return { last: rows[0]?.last ?? null, unreached: rows[0]?.unreached ?? [] };
}

/**
 * The row `t` has no mark of this run, and is not young. `offset 0` makes it a look into the index for each row: of marks that
 * were made just now PostgreSQL knows too little to plan a join.
 */
function isUnreached(ctx: Context, { runId }: Run, { kinds, hasTime }: ContentTable) {
  const since = new Date(ctx.services.clock().getTime() - GRACE_MS).toISOString();
  return sql<boolean>`not exists (
      select from content_mark m where m.run_id = ${runId} and m.kind = any(${[...kinds]}::text[]) and m.hash = t.hash offset 0)
    ${hasTime ? sql`and t.created_at < ${since}::timestamptz` : sql``}`;
}

type Slice = { hashes: Buffer[]; signal: AbortSignal };

async function removeSlice(ctx: Context, run: Run, table: ContentTable, { hashes, signal }: Slice): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    signal.throwIfAborted();
    const removed = await inTransaction(ctx, (inside) => removeAlone(inside, run, table, hashes));
    if (removed !== undefined) return removed;
    await sleep(WAIT_MS, undefined, { signal });
    await markAll(ctx.db, run, signal);
  }
  // Somebody is writing all the time: the next night will do.
  return 0;
}

/** Undefined where it was not to be: others are writing, or wrote so much that it is better marked before. */
async function removeAlone(ctx: Context, run: Run, table: ContentTable, hashes: Buffer[]): Promise<number | undefined> {
  const { db } = ctx;
  if (!(await tryHoldContentAlone(ctx, run.organizationId))) return undefined;
  if (!(await hasMarks(db, run))) throw new Error('The marks of this run are gone; another one begins anew.');
  if (!(await catchUp(db, run))) return undefined;
  const { rows } = await sql<{ hash: Buffer }>`
    delete from ${sql.table(table.name)} t
    where t.organization_id = ${run.organizationId} and t.hash = any(${hashes}::bytea[]) and ${isUnreached(ctx, run, table)}
    returning t.hash`.execute(db);
  const removed = rows.map(({ hash }) => hash);
  for (const detail of table.details) {
    await sql`
      delete from ${sql.table(detail)}
      where organization_id = ${run.organizationId} and document_hash = any(${removed}::bytea[])`.execute(db);
  }
  return removed.length;
}

/** Marks what was written since; false when that takes longer than writers should wait. */
async function catchUp(db: Database, run: Run): Promise<boolean> {
  if (await markRoots(db, run)) return false;
  for (let step = 0; step < CATCH_UP_STEPS; step++) if (!(await expandMarks(db, run))) return true;
  return false;
}

/** Marks that runs left which were killed. */
async function removeDeadMarks({ db }: Context): Promise<void> {
  const before = new Date(Date.now() - DEAD_AFTER_MS).toISOString();
  for (;;) {
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
