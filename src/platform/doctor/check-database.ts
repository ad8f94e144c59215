import type pg from 'pg';
import { newerDatabaseFault } from '../compatibility/minimum-version.ts';
import { appliedMigrations } from '../database/applied-migrations.ts';
import { databaseFaults } from '../database/database-faults.ts';
import { isLate, type MigrationList, namesOf } from '../database/migrations.ts';
import { openSession } from '../database/session.ts';
import { adviceFor, withoutPassword } from '../database/wait-for-database.ts';
import { type CheckResult, fail, pass, reasonOf } from './check-result.ts';
import { checkSession } from './check-session.ts';

/** Requirements of the service for its database. */
export interface DatabaseNeeds {
  /** The migrations of this version. */
  migrations: MigrationList;
  extensions: string[];
  /** Names of the tables of the service. */
  tables: string[];
}

const MIN_VERSION = 15;
const MAX_SKEW_MS = 2_000;

/** Checks the database at a URL, which may be that of a pooler before `directUrl`. What it tries is rolled back. */
export async function checkDatabase(
  url: string,
  { directUrl, ...needs }: DatabaseNeeds & { directUrl: string | undefined },
): Promise<CheckResult[]> {
  let session: CheckResult;
  let client: pg.Client;
  try {
    session = await checkSession(url, directUrl);
    // Without transactions, or with settings of others, nothing else can be checked.
    if (!session.isPassed) return [session];
    client = await openSession(url, { application_name: 'stemma doctor', query_timeout: 5_000 });
  } catch (error) {
    const advice = `Start it, or correct DATABASE_URL${adviceFor(error, url) || '.'}`;
    return [fail('database', `${withoutPassword(url)} cannot be reached (${reasonOf(error)}). ${advice}`)];
  }
  try {
    return [
      await version(client, url),
      await migrations(client, needs.migrations),
      await extensions(client, needs.extensions),
      ...(await privileges(url, needs.tables)),
      await clock(client),
      session,
    ];
  } catch (error) {
    return [fail('database', `${withoutPassword(url)} cannot be checked (${reasonOf(error)}).`)];
  } finally {
    await client.end().catch(() => {});
  }
}

async function version(client: pg.Client, url: string): Promise<CheckResult> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
  const text = rows[0]?.version ?? '';
  const server = `PostgreSQL ${text.split(' ', 1)[0]} at ${withoutPassword(url)}`;
  if (Number.parseInt(text, 10) >= MIN_VERSION) return pass('database', server);
  return fail('database', `${server}. Upgrade to ${MIN_VERSION} or newer.`);
}

async function migrations(client: pg.Client, list: MigrationList): Promise<CheckResult> {
  const applied = await appliedMigrations((statement) => client.query(statement));
  if (!applied) return pass('migrations', 'none yet: the first start of the service creates the tables');
  const fault = await newerDatabaseFault(client, namesOf(list));
  if (fault !== undefined) return fail('migrations', fault);
  const names = new Set([...applied.required, ...applied.early]);
  const next = applied.early.filter((name) => !namesOf(list).includes(name));
  const ahead =
    next.length > 0 ? `, and those of the next version that this one can run with (${next.join(', ')})` : '';
  const pending = list.filter(({ name }) => !names.has(name));
  if (pending.length === 0) return pass('migrations', `all ${list.length} applied${ahead}`);
  const text = `${pending.length} are pending (${namesOf(pending).join(', ')})`;
  if (pending.every((one) => isLate(one, list)))
    return pass('migrations', `${text}. Once no process of the former version runs: npm run migrate -- --after`);
  return fail('migrations', `${text}. Start the service to apply them.`);
}

async function extensions(client: pg.Client, needed: string[]): Promise<CheckResult> {
  const { rows } = await client.query<{ name: string }>(
    'select n as name from unnest($1::text[]) n where not exists (select from pg_available_extensions a where a.name = n)',
    [needed],
  );
  if (rows.length === 0) return pass('extensions', needed.join(', '));
  const missing = rows.map(({ name }) => name).join(', ');
  return fail('extensions', `The server lacks ${missing}. Install PostgreSQL's contrib package on it.`);
}

/** Tries what a start of the service does with the database, and undoes it. */
async function privileges(url: string, tables: string[]): Promise<CheckResult[]> {
  const faults = await databaseFaults(url, tables);
  if (faults.length > 0) return faults.map((fault) => fail('privileges', fault));
  return [pass('privileges', 'tables, extensions, writing, notifications and locks work (tried and undone)')];
}

/** Compares the server's clock with the middle of the time between request and response. */
async function clock(client: pg.Client): Promise<CheckResult> {
  const sentAt = Date.now();
  const { rows } = await client.query<{ now: string }>('select extract(epoch from clock_timestamp()) * 1000 as now');
  const skew = Math.round(Number(rows[0]?.now) - (sentAt + Date.now()) / 2);
  const text = `the database's clock is ${Math.abs(skew)} ms ${skew < 0 ? 'behind' : 'ahead'}`;
  return Math.abs(skew) <= MAX_SKEW_MS ? pass('clock', text) : fail('clock', `${text}. Synchronize both (NTP).`);
}
