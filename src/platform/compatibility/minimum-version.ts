import type pg from 'pg';
import manifest from '../../../package.json' with { type: 'json' };
import { appliedMigrations } from '../database/applied-migrations.ts';
import { OperatorError } from '../errors/errors.ts';

/** A newer version of the service has migrated the database. The message tells the operator what to do. */
export class NewerDatabaseError extends OperatorError {}

/**
 * The statement of a migration that versions before `version` cannot run with: one that removes or renames what they
 * use, or changes its meaning.
 */
export const setMinimumVersion = (version: string) => `
  insert into "compatibility" ("id", "minimum_version") values ('service', '${version}')
  on conflict ("id") do update set "minimum_version" = excluded."minimum_version"`;

/**
 * Throws if this version must not run on a database. It must not if it is older than the database allows, or does not
 * know an applied migration. Migrations of the next version that this version can run with are an exception.
 */
export async function rejectNewerDatabase(client: pg.ClientBase, migrationNames: readonly string[]): Promise<void> {
  const fault = await newerDatabaseFault(client, migrationNames);
  if (fault !== undefined) throw new NewerDatabaseError(fault);
}

/**
 * The message of `rejectNewerDatabase`. Undefined for a database without tables, and for one that this version can use.
 */
export async function newerDatabaseFault(
  client: pg.ClientBase,
  migrationNames: readonly string[],
  ownVersion: string = manifest.version,
): Promise<string | undefined> {
  const applied = await appliedMigrations((statement) => client.query(statement));
  const unknown = applied?.required.filter((name) => !migrationNames.includes(name)) ?? [];
  const minimum = (await exists(client, 'compatibility')) ? await minimumVersion(client) : undefined;
  const isTooOld = minimum !== undefined && isOlder(ownVersion, minimum);
  if (!isTooOld && unknown.length === 0) return undefined;
  const reasons = [
    ...(isTooOld ? [`it needs version ${minimum} or newer`] : []),
    ...(unknown.length > 0 ? [`this version does not know its migrations ${unknown.join(', ')}`] : []),
  ];
  return `The database belongs to a newer version of Stemma than this one, ${ownVersion}: ${reasons.join(', and ')}. Start the newer version. To go back, restore a backup that this version has made into an empty database.`;
}

async function exists(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass('public.${table}') is not null as "isThere"`,
  );
  return rows[0]?.isThere === true;
}

async function minimumVersion(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ version: string }>(
    `select minimum_version as version from public.compatibility where id = 'service'`,
  );
  return rows[0]?.version;
}

/** Compares versions of the form `1.2.3` by their numbers. */
export function isOlder(version: string, than: string): boolean {
  const [one, other] = [numbersOf(version), numbersOf(than)];
  const place = one.findIndex((number, index) => number !== other[index]);
  return place !== -1 && (one[place] ?? 0) < (other[place] ?? 0);
}

function numbersOf(version: string): number[] {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1);
  if (!parts) throw new Error(`"${version}" is not a version of the form 1.2.3.`);
  return parts.map(Number);
}
