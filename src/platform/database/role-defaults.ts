import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '../errors/errors.ts';
import { differingSettings, SEARCH_PATH, SETTINGS, type SessionSetting, setReportedSettings } from './session.ts';
import { isReported } from './sqlstates.ts';

/** Key of the advisory lock of processes that set defaults. Any number that nothing else uses. */
const DEFAULTS_LOCK = 7_305_110_043;

/** Defaults that would end statements and transactions of all clients of a pooler. */
const NO_LIMITS = { statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' };

/** Sessions that run a statement are waited for. */
const CHECKS = 20;
const PAUSE_MS = 500;

/**
 * Makes the settings that the service relies on the defaults of its role in its database. The sessions of the pooler at
 * `pooledUrl` are shared, so a client cannot set them there. Does nothing if the defaults are already right. Otherwise
 * ends idle sessions of the role, which still have the former defaults. If other sessions keep them, throws an error
 * that says what to do. Roles may set their own defaults (PostgreSQL, ALTER ROLE).
 */
export async function setRoleDefaults(url: string, pooledUrl: string): Promise<void> {
  const changedAt = await changeDefaults(url);
  if (changedAt === undefined) return;
  for (let check = 1; check <= CHECKS; check++) {
    await endIdleSessions(url, changedAt);
    if (await haveDefaults(pooledUrl, changedAt)) return;
    await sleep(PAUSE_MS);
  }
  throw new OperatorError(
    'The pooler in front of the database keeps sessions without the settings that the service has just set for its role. Close them (PgBouncer: RECONNECT), and start again.',
  );
}

/** Sets the defaults that differ. Returns the time if any did. */
function changeDefaults(url: string): Promise<string | undefined> {
  return withClient(url, async (client) => {
    await client.query('begin');
    await client.query(`select pg_catalog.pg_advisory_xact_lock(${DEFAULTS_LOCK})`);
    const [expected, current] = [await wantedDefaults(client), await currentDefaults(client)];
    const changed = expected.filter(({ name, value }) => current.get(name) !== value);
    const { rows } = await client.query<{ database: string }>(
      'select pg_catalog.quote_ident(pg_catalog.current_database()) as database',
    );
    for (const { name, value } of changed) {
      // A list of schemas, which are quoted.
      const text = name === 'search_path' ? value : pg.escapeLiteral(value);
      await client.query(`alter role current_user in database ${rows[0]?.database} set ${name} to ${text}`);
    }
    await client.query('commit');
    if (changed.length === 0) return undefined;
    const time = await client.query<{ now: string }>('select pg_catalog.clock_timestamp()::text as now');
    return time.rows[0]?.now;
  });
}

/** The settings that the server knows. */
async function wantedDefaults(client: pg.Client): Promise<SessionSetting[]> {
  const settings = Object.entries({ ...SETTINGS, ...NO_LIMITS });
  const { rows } = await client.query<SessionSetting>(
    `select s.name, s.value from unnest($1::text[], $2::text[]) s(name, value)
     where pg_catalog.current_setting(s.name, true) is not null
     union all select 'search_path', ${SEARCH_PATH}`,
    [settings.map(([name]) => name), settings.map(([, value]) => value)],
  );
  return rows;
}

/** The defaults of the role in the database. */
async function currentDefaults(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ config: string[] }>(
    `select s.setconfig as config from pg_catalog.pg_db_role_setting s
     join pg_catalog.pg_roles r on r.oid = s.setrole join pg_catalog.pg_database d on d.oid = s.setdatabase
     where r.rolname = current_user and d.datname = pg_catalog.current_database()`,
  );
  const settings = rows.flatMap(({ config }) => config);
  return new Map(
    settings.map((setting) => {
      const [name = '', ...value] = setting.split('=');
      return [name.toLowerCase(), value.join('=')];
    }),
  );
}

/** Sessions of the role that are older than a time. */
const OLDER = `from pg_catalog.pg_stat_activity
  where usename = current_user and datname = pg_catalog.current_database() and backend_start < $1::timestamptz`;

/** Ends the sessions of `OLDER` that are idle and, last, the one that runs this statement. */
async function endIdleSessions(url: string, changedAt: string): Promise<void> {
  const ending = withClient(url, (client) =>
    client.query(
      `select pg_catalog.pg_terminate_backend(pid) ${OLDER} and (state = 'idle' or pid = pg_catalog.pg_backend_pid())
       order by pid = pg_catalog.pg_backend_pid()`,
      [changedAt],
    ),
  );
  await ending.catch((error: unknown) => {
    if (!isEnd(error)) throw error;
  });
}

const ADMIN_SHUTDOWN = '57P01';
const CONNECTION_FAILURE = /^08/;

/**
 * Whether an error says that the session has ended: 57P01 of PostgreSQL, class 08 of a pooler, or a broken connection.
 */
const isEnd = (error: unknown) =>
  !isReported(error) || error.code === ADMIN_SHUTDOWN || CONNECTION_FAILURE.test(error.code);

/** Whether no older session is left, and a session of the pooler has the defaults. */
async function haveDefaults(pooledUrl: string, changedAt: string): Promise<boolean> {
  try {
    return await withClient(pooledUrl, async (client) => {
      const { rows: older } = await client.query(`select ${OLDER}`, [changedAt]);
      return older.length === 0 && (await differing(client)).length === 0;
    });
  } catch (error) {
    if (isEnd(error)) return false;
    throw error;
  }
}

/**
 * The defaults of the role that a session of the pooler does not have, because it is older than they are or a client
 * has changed them for all. Empty before the first start, which sets the defaults.
 */
export const lostDefaults = (pooledUrl: string): Promise<SessionSetting[]> =>
  withClient(pooledUrl, async (client) => {
    const defaults = await currentDefaults(client);
    return (await differing(client)).filter(({ name, value }) => defaults.get(name) === value);
  });

/** Returns the settings that the service needs and that differ in the session. */
async function differing(client: pg.Client): Promise<SessionSetting[]> {
  await setReportedSettings(client);
  return differingSettings(client, await wantedDefaults(client));
}

/** A session without settings of its own, which would stay in the session of the pooler. */
async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
    application_name: 'stemma defaults',
  });
  // Without a listener, a broken connection would end the process. Its statement fails anyway.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connected(url);
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
