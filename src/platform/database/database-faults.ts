import type pg from 'pg';
import { OperatorError } from '../errors/errors.ts';
import { MIGRATIONS_TABLE } from './applied-migrations.ts';
import { JOBS_SCHEMA } from './jobs-schema.ts';
import { EXTENSIONS, openSession } from './session.ts';
import { isReadOnlyRefusal, isReported } from './sqlstates.ts';

/** Something that the service does with its database. */
interface Trial {
  statement: string;
  /** Completes "may not". */
  action: string;
  /** The statements that allow it, for an administrator of the database. */
  grant: string;
  /** What to do after other errors than a missing privilege. */
  otherwise?: string;
}

const INSUFFICIENT_PRIVILEGE = '42501';
const NO_SUCH_SCHEMA = '3F000';

export const READ_ONLY_TEXT =
  'The database is read-only: it is a standby, or default_transaction_read_only is on for the server, the database or the role. Connect to the primary server (DATABASE_URL), or turn the setting off.';

/**
 * Tries what the service does with its database when it starts, in a transaction that is rolled back: creating tables
 * and extensions, writing, notifying, locking. Returns a text for each thing that fails, with the `grant` that is
 * missing. `tables` are those of the service.
 */
export async function databaseFaults(url: string, tables: readonly string[]): Promise<string[]> {
  const client = await openSession(url, { application_name: 'stemma check', query_timeout: 5_000 });
  try {
    const names = await namesIn(client);
    await client.query('begin');
    const faults: string[] = [];
    for (const trial of trialsOf(names)) {
      const error = await attempt(client, trial.statement);
      if (isReadOnlyRefusal(error)) return [READ_ONLY_TEXT];
      if (error) faults.push(faultOf(trial, error, names));
    }
    return [...faults, ...(await foreignTables(client, tables, names))];
  } finally {
    // Rolls back.
    await client.end().catch(() => {});
  }
}

/** The database refuses something that the service does. The message tells the operator what to do. */
class DatabaseFaultsError extends OperatorError {}

/** Runs the start of a program. If the database refuses a statement, the error says what `databaseFaults` finds. */
export async function explainingFaults<Result>(
  url: string,
  tables: readonly string[],
  start: () => Promise<Result>,
): Promise<Result> {
  try {
    return await start();
  } catch (error) {
    const faults = isOfDatabase(error) ? await databaseFaults(url, tables).catch(() => []) : [];
    throw faults.length > 0 ? new DatabaseFaultsError(faults.join('\n'), { cause: error }) : error;
  }
}

/** Whether an error, or one that it was made of, is of the server. */
function isOfDatabase(error: unknown): boolean {
  return isReported(error) || (error instanceof Error && error.cause !== undefined && isOfDatabase(error.cause));
}

interface Names {
  /** Quoted. */
  role: string;
  database: string;
  hasJobs: boolean;
}

async function namesIn(client: pg.Client): Promise<Names> {
  const { rows } = await client.query<Names>(
    `select quote_ident(current_user) as role, quote_ident(current_database()) as database,
       to_regnamespace('${JOBS_SCHEMA}') is not null as "hasJobs"`,
  );
  return rows[0] ?? { role: '', database: '', hasJobs: false };
}

const TRIAL = 'stemma_trial';

function trialsOf({ role, database, hasJobs }: Names): Trial[] {
  const onDatabase = `grant create on database ${database} to ${role}`;
  const inSchema = (schema: string): Trial => ({
    statement: `create table ${schema}.${TRIAL} (id int); insert into ${schema}.${TRIAL} values (1)`,
    action: `create tables in the schema ${schema} and write to them`,
    grant: `grant usage, create on schema ${schema} to ${role}`,
  });
  return [
    inSchema('public'),
    ...EXTENSIONS.map((name) => ({
      statement: `create extension if not exists ${name}`,
      action: `create the extension ${name}`,
      grant: `${onDatabase}; or create it: create extension ${name}`,
      otherwise: "Install PostgreSQL's contrib package on the server.",
    })),
    hasJobs
      ? inSchema(JOBS_SCHEMA)
      : { statement: `create schema ${JOBS_SCHEMA}`, action: `create the schema ${JOBS_SCHEMA}`, grant: onDatabase },
    {
      statement: `listen ${TRIAL}; select pg_catalog.pg_notify('${TRIAL}', '')`,
      action: 'send notifications',
      grant: `grant execute on function pg_catalog.pg_notify(text, text) to ${role}`,
    },
    {
      statement: 'select pg_catalog.pg_advisory_xact_lock(0)',
      action: 'take advisory locks',
      grant: `grant execute on function pg_catalog.pg_advisory_xact_lock(bigint) to ${role}`,
    },
  ];
}

/** Runs a statement and undoes it. Returns its error. */
async function attempt(client: pg.Client, statement: string): Promise<Error | undefined> {
  await client.query('savepoint trial');
  try {
    await client.query(statement);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.query('rollback to savepoint trial').catch(() => {});
  }
}

function faultOf({ action, grant, otherwise = '' }: Trial, error: Error, { role }: Names): string {
  const code = isReported(error) ? error.code : '';
  if (code === NO_SUCH_SCHEMA) {
    return `The database has no schema public. As its administrator: create schema public authorization ${role};`;
  }
  if (code !== INSUFFICIENT_PRIVILEGE)
    return `The role ${role} cannot ${action}: ${error.message}. ${otherwise}`.trim();
  return `The role ${role} may not ${action} (${error.message}). As an administrator of the database: ${grant};`;
}

/** Tables of the service that its role may not change, as migrations do. */
async function foreignTables(client: pg.Client, tables: readonly string[], { role }: Names): Promise<string[]> {
  const { rows } = await client.query<{ owner: string; tables: string }>(
    `select quote_ident(pg_get_userbyid(c.relowner)) as owner, string_agg(c.relname, ', ' order by c.relname) as tables
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relname = any($1::text[]) and not pg_has_role(c.relowner, 'usage')
     group by 1 order by 1`,
    [[...tables, MIGRATIONS_TABLE]],
  );
  return rows.map(({ owner, tables: names }) => {
    const text = names.length > 200 ? `${names.slice(0, 200)}…` : names;
    return `The tables ${text} belong to the role ${owner}, so that ${role} cannot change them. As an administrator of the database: grant ${owner} to ${role};`;
  });
}
