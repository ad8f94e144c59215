import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '../context/context.ts';
import { PRIMARY_POSITION, PRIMARY_TIMELINE } from '../database/replicas/position.ts';
import { withStatementMeter } from '../database/statement-meter.ts';
import type { Database } from '../database/tables.ts';
import { sharedRead } from './shared-reads.ts';

/** Pauses between the questions whether a replica has caught up. After the last one, the primary is read. */
const PAUSES_MS = [2, 4, 8, 16, 32, 64];

const KEY = 'primary';

/** The position and timeline of the primary after the call. Requests that ask at the same time share the statement. */
const readPosition = sharedRead<{ lsn: string; timeline: number }>(async (db) => {
  const { rows } = await sql<{ lsn: string; timeline: number }>`
    select (${sql.raw(PRIMARY_POSITION)})::text as lsn, ${sql.raw(PRIMARY_TIMELINE)} as timeline`.execute(db);
  return new Map(rows.map((row) => [KEY, row]));
});

/**
 * Reads from a replica that has everything that was committed before the call, and else from the primary. So the
 * result contains every write committed before the call, and never less than an earlier response has shown.
 *
 * `read` runs on one connection, and so on one server.
 */
export async function readCaughtUp<Result>(ctx: Context, read: (db: Database) => Promise<Result>): Promise<Result> {
  const { replicas } = ctx.services;
  if (ctx.inTransaction || !replicas.areSet) return read(ctx.db);
  if (!replicas.areInUse) {
    replicas.count('unavailable');
    return read(ctx.db);
  }
  const position = (await readPosition(ctx, [KEY])).get(KEY);
  // After a promotion, positions of the former primary say nothing until the replicas have been checked again.
  if (!position || position.timeline !== replicas.timeline) {
    replicas.count('unavailable');
    return read(ctx.db);
  }
  const attempted = await replicas.attempt((replica) =>
    replica.connection().execute(async (db) => {
      await catchUp(db, position.lsn);
      return read(withStatementMeter(db, ctx.meter));
    }),
  );
  return attempted ? attempted.result : read(ctx.db);
}

async function catchUp(db: Database, position: string): Promise<void> {
  for (const pause of PAUSES_MS) {
    if (await hasReplayed(db, position)) return;
    await sleep(pause);
  }
  if (!(await hasReplayed(db, position))) throw new Error(`The replica has not caught up with ${position} in time.`);
}

async function hasReplayed(db: Database, position: string): Promise<boolean> {
  const { rows } = await sql<{ isReplayed: boolean | null }>`
    select pg_catalog.pg_is_in_recovery() and pg_catalog.pg_last_wal_replay_lsn() >= ${position}::pg_lsn as "isReplayed"`.execute(
    db,
  );
  return rows[0]?.isReplayed === true;
}
