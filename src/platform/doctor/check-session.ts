import { sharesSessions } from '../database/pooler.ts';
import { lostDefaults } from '../database/role-defaults.ts';
import { differingSettings, openSession, prepareSession, type SessionSetting } from '../database/session.ts';
import { OperatorError } from '../errors/errors.ts';
import { type CheckResult, fail, pass } from './check-result.ts';

/** Time limit of all statements of this check. */
const PATIENCE = { query_timeout: 5_000 };

/** Whether sessions keep the settings of the service, or what is missing where a pooler shares them. */
export async function checkSession(url: string, directUrl: string | undefined): Promise<CheckResult> {
  try {
    // Before `sharesSessions`, which makes a pooler open new sessions.
    const lost = await lostDefaults(url);
    if (await sharesSessions(url)) return checkShared(lost, directUrl);
  } catch (error) {
    if (error instanceof OperatorError) return fail('session', error.message);
    throw error;
  }
  const session = await openSession(url, { application_name: 'stemma doctor', ...PATIENCE });
  try {
    const settings = await prepareSession(session);
    const lost = await differingSettings(session, settings);
    if (lost.length === 0) return pass('session', `keeps its ${settings.length} settings`);
    return fail('session', `${lost.map(({ name }) => name).join(', ')} cannot be set. ${adviceFor(lost)}`);
  } finally {
    await session.end().catch(() => {});
  }
}

function checkShared(lost: SessionSetting[], directUrl: string | undefined): CheckResult {
  if (lost.length === 0) return pass('session', sharedText(directUrl));
  const names = lost.map(({ name }) => name).join(', ');
  return fail(
    'session',
    `A session of the pooler has other values of ${names} than the role of the service. Another client has set them for all, or the session is older than the defaults of the role. Let the pooler open new sessions (PgBouncer: RECONNECT), and clients use SET LOCAL.`,
  );
}

const sharedText = (directUrl: string | undefined): string => {
  const events =
    directUrl === undefined
      ? 'Without DATABASE_DIRECT_URL, events are polled every second, and migrations and jobs use the pooler too.'
      : 'Migrations, notifications and jobs use DATABASE_DIRECT_URL.';
  return `shared by a pooler in transaction mode: every statement is planned again. ${events}`;
};

function adviceFor(lost: SessionSetting[]): string {
  const defaults = lost.map(({ name, value }) => `${name} to ${name === 'search_path' ? value : `'${value}'`}`);
  return `A program between the service and the server, such as a pooler, resets them. Connect to the server itself, or set these defaults for the role of the service, each with "alter role … set": ${defaults.join('; ')}.`;
}
