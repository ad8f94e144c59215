import type pg from 'pg';

/** A position in the log of a server (LSN), as a number of bytes. */
export type Position = bigint;

/** Converts the text of a `pg_lsn`, such as `16/B374D848`. */
function toPosition(lsn: string): Position {
  const [high = '', low = ''] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/**
 * SQL for the position of the primary that covers every transaction that others can see. Commits are seen once the log
 * is flushed, or earlier with `synchronous_commit = off`. Replicas receive only flushed records, so no replica is ahead
 * of it.
 */
export const PRIMARY_POSITION = `case pg_catalog.current_setting('synchronous_commit')
  when 'off' then pg_catalog.pg_current_wal_insert_lsn() else pg_catalog.pg_current_wal_flush_lsn() end`;

/** What identifies the history that a position belongs to. */
export interface History {
  /** The identifier that all copies of one database server have. */
  system: string;
  /** Changes with each promotion of a replica. */
  timeline: number;
}

export interface PrimaryState extends History {
  position: Position;
}

export interface ReplicaState extends History {
  /** False for a server that accepts writes. */
  isReplica: boolean;
  /** What it has replayed. Null where the server does not tell. */
  position: Position | null;
}

const SYSTEM = '(select c.system_identifier::text from pg_catalog.pg_control_system() c)';

/** SQL for the timeline of the primary: the first eight digits of the name of a file of the log. */
export const PRIMARY_TIMELINE = `('x' || pg_catalog.left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8))::bit(32)::int`;

const READ_PRIMARY = `select (${PRIMARY_POSITION})::text as lsn, ${SYSTEM} as system, ${PRIMARY_TIMELINE} as timeline`;

/** Reads the state of a primary. Fails on a replica. */
export async function readPrimaryState(client: pg.ClientBase): Promise<PrimaryState> {
  const { rows } = await client.query<History & { lsn: string }>(READ_PRIMARY);
  const [row] = rows;
  if (!row) throw new Error('A select without a table returned no row.');
  return { position: toPosition(row.lsn), system: row.system, timeline: row.timeline };
}

/**
 * The control file gets the timeline with the next restart point at the latest. The receiver of the log has it at once,
 * and shows it to members of `pg_read_all_stats`.
 */
const READ_REPLICA = `select pg_catalog.pg_is_in_recovery() as "isReplica",
  pg_catalog.pg_last_wal_replay_lsn()::text as lsn, ${SYSTEM} as system,
  greatest(
    (select c.timeline_id from pg_catalog.pg_control_checkpoint() c),
    (select r.min_recovery_end_timeline from pg_catalog.pg_control_recovery() r),
    (select w.received_tli from pg_catalog.pg_stat_wal_receiver w limit 1)) as timeline`;

/** Reads the state of a server that should be a replica. */
export async function readReplicaState(client: pg.ClientBase): Promise<ReplicaState> {
  const { rows } = await client.query<History & { isReplica: boolean; lsn: string | null }>(READ_REPLICA);
  const [row] = rows;
  if (!row) throw new Error('A select without a table returned no row.');
  const { isReplica, lsn, system, timeline } = row;
  return { isReplica, position: lsn === null ? null : toPosition(lsn), system, timeline };
}

/** Returns why a server cannot serve reads for a primary, and the remedy. Undefined if it can. Ignores the lag. */
export function faultOf(replica: ReplicaState, primary: History): string | undefined {
  if (!replica.isReplica)
    return 'is no replica: it accepts writes. Remove it from DATABASE_REPLICA_URLS, or make it a standby again.';
  if (replica.system !== primary.system)
    return 'replicates another server than the one at DATABASE_URL. Correct DATABASE_REPLICA_URLS.';
  if (replica.timeline !== primary.timeline)
    return `is on timeline ${replica.timeline}, the primary on ${primary.timeline}. After a failover this passes with the next restart point of the replica, or at once if the role is a member of pg_read_all_stats. Otherwise rewind or rebuild it.`;
  if (replica.position === null) return 'does not tell how much of the log it has replayed.';
  return undefined;
}
