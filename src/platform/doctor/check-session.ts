import type pg from 'pg';
import { poolerFault } from '../database/pooler.ts';
import { openSession, prepareSession, type SessionSetting } from '../database/session.ts';
import { type CheckResult, fail, pass } from './check-result.ts';

/** Time limit of all statements of this check. */
const PATIENCE = { query_timeout: 5_000 };

/** Whether sessions are not shared by a pooler, and keep the settings of the service. */
export async function checkSession(url: string): Promise<CheckResult> {
  const fault = await poolerFault(url);
  if (fault !== undefined) return fail('session', fault);
  const session = await openSession(url, { application_name: 'stemma doctor', ...PATIENCE });
  try {
    const wanted = await prepareSession(session);
    const lost = await differing(session, wanted);
    if (lost.length === 0) return pass('session', `keeps its ${wanted.length} settings`);
    return fail('session', `${lost.map(({ name }) => name).join(', ')} cannot be set. ${adviceFor(lost)}`);
  } finally {
    await session.end().catch(() => {});
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

function adviceFor(lost: SessionSetting[]): string {
  const defaults = lost.map(({ name, value }) => `${name} to ${name === 'search_path' ? value : `'${value}'`}`);
  return `A program between the service and the server, such as a pooler, resets them. Connect to the server itself, or set these defaults for the role of the service, each with "alter role … set": ${defaults.join('; ')}.`;
}
