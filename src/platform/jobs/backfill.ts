import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../context/context.ts';
import type { Database } from '../database/tables.ts';
import { defineJob, type Job } from './job.ts';

/** A job that brings existing rows up to date after an update. A migration would lock them for too long. */
export interface Backfill extends Job {
  /** Number of rows that are not up to date, up to `MAX_COUNTED`. */
  countRows(db: Database): Promise<number>;
}

export interface BackfillOptions<Position> {
  /** Selects the rows that are not up to date, without a limit. */
  rows: RawBuilder<unknown>;
  /**
   * Brings the next few rows after a position up to date, each so that being killed leaves it as it was or up to date.
   * Returns the position of the last one. Undefined when no row is left.
   */
  runBatch(ctx: Context, after: Position | undefined, signal: AbortSignal): Promise<Position | undefined>;
}

/** So that counting takes milliseconds. */
const MAX_COUNTED = 100_000;

const LOG_EVERY_MS = 60_000;

/**
 * Declares a backfill. It looks for rows every ten minutes, and continues where it was stopped or killed, because what
 * it has done is in the rows. It pauses after each batch for as long as the batch took, so that it takes at most half
 * of the time of one connection. The metric `stemma_backfill_rows` shows how many rows are left, and so does the log
 * when they get fewer.
 */
export function defineBackfill<Position>(name: string, { rows, runBatch }: BackfillOptions<Position>): Backfill {
  const countRows = async (db: Database) => {
    const counted = sql<{ count: number }>`select count(*) as count from (${rows} limit ${sql.lit(MAX_COUNTED)}) r`;
    return (await counted.execute(db)).rows[0]?.count ?? 0;
  };
  const run = async (ctx: Context, signal: AbortSignal) => {
    const before = await countRows(ctx.db);
    // Rows that cannot be brought up to date would be logged every ten minutes.
    const logRows = async (text: string) => {
      const remaining = await countRows(ctx.db);
      if (remaining < before || remaining === MAX_COUNTED) ctx.log.info({ backfill: name, rows: remaining }, text);
    };
    let loggedAt: number | undefined;
    let after: Position | undefined;
    for (;;) {
      signal.throwIfAborted();
      const begun = performance.now();
      after = await runBatch(ctx, after, signal);
      if (after === undefined) break;
      const now = performance.now();
      if (loggedAt === undefined || now - loggedAt >= LOG_EVERY_MS) {
        loggedAt = now;
        await logRows('backfill continues');
      }
      await sleep(now - begun, undefined, { signal });
    }
    if (loggedAt !== undefined) await logRows('backfill ended');
  };
  const job = defineJob(name, z.object({}), (ctx, _data, { signal }) => run(ctx, signal), {
    cron: '*/10 * * * *',
    expiresIn: 3_600,
  });
  return { ...(job as unknown as Job), countRows };
}
