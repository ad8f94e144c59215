import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { sharesSessions } from '../database/pooler.ts';
import { faultOf, type PrimaryState, readPrimaryState, readReplicaState } from '../database/replicas/position.ts';
import { openSession } from '../database/session.ts';
import { adviceFor, withoutPassword } from '../database/wait-for-database.ts';
import { type CheckResult, fail, pass, reasonOf } from './check-result.ts';

const SUBJECT = 'replica';

/** Options of the sessions of this check. */
const SESSION = { application_name: 'stemma doctor', query_timeout: 5_000 };

const PAUSE_MS = 20;

/**
 * Whether a replica can be read. It must be a standby of the primary, on its timeline and without a shared session. It
 * must replay within the bound what the primary has written at the time of the check.
 */
export async function checkReplica(
  url: string,
  { primaryUrl, lagMs }: { primaryUrl: string; lagMs: number },
): Promise<CheckResult> {
  const name = withoutPassword(url);
  let primary: PrimaryState;
  try {
    primary = await withSession(primaryUrl, readPrimaryState);
  } catch (error) {
    return fail(SUBJECT, `${name} cannot be compared with the primary, which fails (${reasonOf(error)}).`);
  }
  try {
    const isShared = await sharesSessions(url);
    if (isShared)
      return fail(
        SUBJECT,
        `${name} is behind a pooler in transaction mode. Name the server itself in DATABASE_REPLICA_URLS.`,
      );
    return await withSession(url, (client) => checkState(client, { name, primary, lagMs }));
  } catch (error) {
    const advice = `The primary is read instead. Start it, or correct DATABASE_REPLICA_URLS${adviceFor(error, url) || '.'}`;
    return fail(SUBJECT, `${name} cannot be reached (${reasonOf(error)}). ${advice}`);
  }
}

async function checkState(
  client: pg.Client,
  { name, primary, lagMs }: { name: string; primary: PrimaryState; lagMs: number },
): Promise<CheckResult> {
  const begun = performance.now();
  for (;;) {
    const state = await readReplicaState(client);
    const fault = faultOf(state, primary);
    if (fault !== undefined) return fail(SUBJECT, `${name} ${fault}`);
    const milliseconds = Math.round(performance.now() - begun);
    const missing = primary.position - (state.position ?? 0n);
    if (missing <= 0n) return pass(SUBJECT, `${name} had replayed all of the primary's log within ${milliseconds} ms`);
    if (milliseconds > lagMs) {
      const text = `${name} lacks ${missing} bytes of the primary's log after ${milliseconds} ms, more than REPLICA_LAG_MS`;
      return fail(SUBJECT, `${text}. Look at its log, its network and pg_stat_replication on the primary.`);
    }
    await sleep(PAUSE_MS);
  }
}

async function withSession<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await openSession(url, SESSION);
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
