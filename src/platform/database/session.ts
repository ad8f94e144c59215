import { sql } from 'kysely';
import pg from 'pg';
import { MINUTE_MS } from '../../lib/durations.ts';
import type { Database } from './tables.ts';

/** Extensions that statements use. They can be installed in any schema. */
export const EXTENSIONS = ['pg_trgm', 'unaccent'];

export interface SessionOptions {
  /** Time limit of a statement in milliseconds. Default 0 for no limit. */
  statementTimeoutMs?: number | undefined;
  /** Time that a transaction may be open without a statement, in milliseconds. Default 0 for no limit. */
  idleInTransactionMs?: number | undefined;
}

/** A PostgreSQL setting with its value as the server shows it. */
export interface SessionSetting {
  name: string;
  value: string;
}

/**
 * Settings that the code relies on. Servers, databases and roles may have other defaults. Unknown settings are skipped:
 * `transaction_timeout` requires PostgreSQL 17.
 */
export const SETTINGS: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read committed',
  // JIT compilation of a complex statement takes seconds, running it takes milliseconds.
  jit: 'off',
  // One plan per prepared statement: see `runPrepared`.
  plan_cache_mode: 'force_generic_plan',
  transaction_timeout: '0',
  idle_session_timeout: '0',
};

/**
 * Applies the session settings to a connection in one message, and returns them as the server shows them. They are set
 * by statements instead of startup parameters, since poolers such as PgBouncer reject unknown startup parameters. Must
 * complete before other statements are sent.
 */
export async function prepareSession(
  client: pg.ClientBase,
  { statementTimeoutMs = 0, idleInTransactionMs = 0 }: SessionOptions = {},
): Promise<SessionSetting[]> {
  const limits = {
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: '0',
    idle_in_transaction_session_timeout: String(idleInTransactionMs),
  };
  const settings = Object.entries({ ...SETTINGS, ...limits });
  const rows = settings.map((setting) => `(${setting.map((text) => pg.escapeLiteral(text)).join(', ')})`);
  const text = `${FIRST_SETTINGS}; ${setAll(rows.join(', '))} union all ${SET_SEARCH_PATH}`;
  const results: unknown = await withinTime(client.query<SessionSetting>(text));
  return (results as pg.QueryResult<SessionSetting>[]).at(-1)?.rows ?? []; // one per statement of the message
}

/** Settings whose values the server reports to its clients. */
const REPORTED = ['timezone', 'datestyle', 'intervalstyle', 'standard_conforming_strings'];

/**
 * Sets only the settings that the server reports, for sessions that a pooler shares. PgBouncer keeps their first values
 * for all clients of a database, and gives those of a client to each session that it uses ("track_extra_parameters" in
 * its manual).
 */
export async function setReportedSettings(client: pg.ClientBase): Promise<void> {
  const statements = REPORTED.map((name) => `set ${name} to ${pg.escapeLiteral(SETTINGS[name] ?? '')}`);
  await withinTime(client.query(statements.join('; ')));
}

const ANSWERS_WITHIN_MS = 10_000;

/** A server may accept connections but never respond. The caller closes the connection. */
async function withinTime<Result>(running: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('Query read timeout')), ANSWERS_WITHIN_MS);
  try {
    return await Promise.race([running, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Without it, a replica refuses all statements of roles whose default is serializable. */
export const READ_COMMITTED = 'set transaction isolation level read committed';

/** Defaults that could make the following statement fail. */
const FIRST_SETTINGS = `${READ_COMMITTED}; set jit to off; set statement_timeout to 0`;

const setAll = (rows: string) => `
  select s.name, pg_catalog.set_config(s.name, s.value, false) as value from (values ${rows}) s(name, value)
  where pg_catalog.current_setting(s.name, true) is not null`;

/** The search path as SQL: tables are in `public`, extensions may be in other schemas. */
export const SEARCH_PATH = `
  pg_catalog.concat_ws(', ', 'public', (
    select pg_catalog.string_agg(distinct pg_catalog.quote_ident(n.nspname), ', ')
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname in (${EXTENSIONS.map((name) => pg.escapeLiteral(name)).join(', ')}) and n.nspname <> 'public'
  ))`;

/** Returns the wanted settings that have another value in the session. */
export async function differingSettings(
  client: pg.ClientBase,
  settings: readonly SessionSetting[],
): Promise<SessionSetting[]> {
  const { rows } = await client.query<SessionSetting>(
    'select name, pg_catalog.current_setting(name) as value from unnest($1::text[]) name',
    [settings.map(({ name }) => name)],
  );
  const current = new Map(rows.map(({ name, value }) => [name, value.toLowerCase()]));
  return settings.filter(({ name, value }) => current.get(name) !== value.toLowerCase());
}

const SET_SEARCH_PATH = `select 'search_path', pg_catalog.set_config('search_path', ${SEARCH_PATH}, false)`;

/**
 * A prepared connection outside of all pools. Must be closed by `end`. A time limit of its statements is
 * `query_timeout`, which the client heeds: one of the server would stay in the session of a pooler.
 */
export async function openSession(url: string, config: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, ...config });
  // Without a listener, a broken connection would end the process. Its statement fails anyway.
  client.on('error', () => {});
  try {
    await client.connect();
    await prepareSession(client);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** The option that makes a pool prepare each new connection. */
export const preparedSessions = (options: SessionOptions = {}) => ({
  onConnect: async (client: pg.ClientBase) => {
    await prepareSession(client, options);
  },
});

/**
 * Sets the time limit of the statements of a transaction, in milliseconds, instead of the configured one. By default
 * two minutes, for commands and jobs that write whole spaces.
 */
export const allowLongStatements = (transaction: Database, milliseconds = 2 * MINUTE_MS) =>
  sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`.execute(transaction);
