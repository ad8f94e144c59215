import type pg from 'pg';
import { openSession, prepareSession, type SessionSetting } from '../database/session.ts';
import { bad, type Finding, good } from './finding.ts';

/** Time limit of all statements of this check. */
const PATIENCE = { query_timeout: 5_000 };

/** Whether connections keep the service's settings. A pooler may use another server connection per transaction. */
export async function checkSession(url: string): Promise<Finding> {
  const opened: pg.Client[] = [];
  const open = async () => {
    const client = await openSession(url, { application_name: 'stemma doctor', ...PATIENCE });
    opened.push(client);
    return client;
  };
  try {
    const [session, other] = [await open(), await open()];
    const wanted = await prepareSession(session);
    // A pooler reuses the connection that was just released, so the first client then gets another one.
    await other.query('begin');
    await other.query('select 1');
    const lost = await differing(session, wanted);
    await other.query('rollback');
    if (lost.length === 0) return good('session', `keeps its ${wanted.length} settings`);
    return bad('session', `${lost.map(({ name }) => name).join(', ')} cannot be set. ${advice(lost)}`);
  } finally {
    for (const client of opened) await client.end().catch(() => {});
  }
}

async function differing(client: pg.Client, wanted: SessionSetting[]): Promise<SessionSetting[]> {
  const { rows } = await client.query<SessionSetting>(
    `select name, current_setting(name) as value from unnest($1::text[]) name`,
    [wanted.map(({ name }) => name)],
  );
  const found = new Map(rows.map(({ name, value }) => [name, value]));
  return wanted.filter(({ name, value }) => found.get(name) !== value);
}

function advice(lost: SessionSetting[]): string {
  const defaults = lost.map(({ name, value }) => `${name} to ${name === 'search_path' ? value : `'${value}'`}`);
  return `A pooler in front of the server seems to share connections between transactions: connect to the server itself, or use the pooler's session mode (PgBouncer: pool_mode = session). Else give the role of the service these defaults, each by "alter role … set": ${defaults.join('; ')}.`;
}
