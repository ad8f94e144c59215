import pg from 'pg';

/** Extensions that statements of the service use, wherever in the database they are installed. */
export const EXTENSIONS = ['pg_trgm', 'unaccent'];

export interface SessionOptions {
  /** How long a statement may take, in milliseconds; 0, the default, sets no limit. */
  statementTimeoutMs?: number | undefined;
}

/** A session setting by its name in PostgreSQL, with the value that the server shows for it. */
export interface SessionSetting {
  name: string;
  value: string;
}

/**
 * Settings that statements, and the code that reads their answers, rely on. A server, database or role may have other
 * defaults. Those that a server does not know are left out: `transaction_timeout` is of PostgreSQL 17.
 */
const SETTINGS = {
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  // Compiling a statement of many expressions takes seconds, running it milliseconds.
  jit: 'off',
  // One plan for each prepared statement: see `prepareStatements`.
  plan_cache_mode: 'force_generic_plan',
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/**
 * Gives a connection the session settings of the service, in one message, and answers them as the server shows them.
 * They are set by statements and not by the startup packet, since poolers such as PgBouncer refuse connections that
 * send other startup parameters than they know. To be awaited before anything else is sent.
 */
export async function prepareSession(
  client: pg.ClientBase,
  { statementTimeoutMs = 0 }: SessionOptions = {},
): Promise<SessionSetting[]> {
  const settings = Object.entries({ ...SETTINGS, statement_timeout: String(statementTimeoutMs) });
  const rows = settings.map((setting) => `(${setting.map((text) => pg.escapeLiteral(text)).join(', ')})`);
  const text = `${AT_ONCE}; ${setAll(rows.join(', '))} union all ${SET_SEARCH_PATH}`;
  // This side's own limit, which the driver's types leave out: a server may take connections and answer nothing.
  const query = { text, query_timeout: ANSWERS_WITHIN_MS };
  const answers: unknown = await client.query<SessionSetting>(query);
  return (answers as pg.QueryResult<SessionSetting>[]).at(-1)?.rows ?? []; // one for each statement of the message
}

const ANSWERS_WITHIN_MS = 10_000;

/** Defaults that the statement behind this could fail by. */
const AT_ONCE = 'set jit to off; set statement_timeout to 0';

const setAll = (rows: string) => `
  select s.name, pg_catalog.set_config(s.name, s.value, false) as value from (values ${rows}) s(name, value)
  where pg_catalog.current_setting(s.name, true) is not null`;

/** Tables are in `public`; extensions may have been installed elsewhere. */
const SET_SEARCH_PATH = `
  select 'search_path', pg_catalog.set_config('search_path', pg_catalog.concat_ws(', ', 'public', (
    select pg_catalog.string_agg(distinct pg_catalog.quote_ident(n.nspname), ', ')
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname in (${EXTENSIONS.map((name) => pg.escapeLiteral(name)).join(', ')}) and n.nspname <> 'public'
  )), false)`;

/** A prepared connection of its own, outside of every pool. `end` closes it. */
export async function openSession(url: string, config: SessionOptions & pg.ClientConfig = {}): Promise<pg.Client> {
  const { statementTimeoutMs, ...rest } = config;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, ...rest });
  // A connection that breaks fails its statement, or is noticed by its end.
  client.on('error', () => {});
  try {
    await client.connect();
    await prepareSession(client, { statementTimeoutMs });
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** The option of a pool that prepares each connection before it is first lent. */
export const preparedSessions = (options: SessionOptions = {}) => ({
  onConnect: async (client: pg.ClientBase) => {
    await prepareSession(client, options);
  },
});
