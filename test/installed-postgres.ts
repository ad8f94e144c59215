import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where distributions put the programs of each version. */
const PACKAGED = ['/usr/lib/postgresql/', '/usr/pgsql-'];

/** The major versions that are supported, the oldest first. */
export const SUPPORTED = Array.from({ length: 10 }, (_, index) => 15 + index);

/** The directory of the programs of a packaged PostgreSQL; undefined where this machine has none of that version. */
export function findInstalledPostgres(version: number): string | undefined {
  return PACKAGED.map((prefix) => join(`${prefix}${version}`, 'bin')).find(
    (directory) => existsSync(directory) && readdirSync(directory).includes('initdb'),
  );
}

/** The programs of the oldest packaged PostgreSQL that is supported; undefined where this machine has none. */
export function findStockPostgres(): string | undefined {
  return SUPPORTED.map(findInstalledPostgres).find((directory) => directory !== undefined);
}
