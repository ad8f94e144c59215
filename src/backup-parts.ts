import { resolve } from 'node:path';
import { migrations } from '../migrations/index.ts';
import { ConfigError } from './config.ts';
import { entities } from './entities.ts';
import type { Backup } from './platform/backup/read-archive.ts';

/** What a backup of this service consists of. */
export const backupParts = {
  tables: entities.map(({ meta }) => meta.tableName),
  migrations: migrations.map(({ name }) => name),
  storedHashes: 'select hash from blob union select blob_hash from upload where blob_hash is not null',
};

/** The file that the command line names, seen from where the command was typed: npm changes the directory. */
export function fileArgument(command: string): string {
  const [file] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  if (file === undefined) throw new ConfigError(`Name a file: npm run ${command} -- FILE`);
  return resolve(process.env.INIT_CWD ?? '.', file);
}

/** What a person wants to see of a backup that was made or restored. */
export function report(verb: string, path: string, { header, manifest }: Backup): string {
  const { blobs, unsound, tables } = manifest;
  const width = Math.max(...Object.keys(tables).map((name) => name.length));
  const lines = header.tables.map(({ name }) => {
    const { rows = 0, sha256 = '' } = tables[name] ?? {};
    return `  ${name.padEnd(width)}  ${String(rows).padStart(9)} rows  sha256 ${sha256}`;
  });
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  return [
    `${verb} ${path} (of ${header.createdAt}, at migration ${header.migrations.at(-1)}):`,
    ...lines,
    `  ${blobs.count} files, ${blobs.bytes} bytes, sha256 of their names ${blobs.sha256}`,
    ...(unsound.length === 0 ? [] : [`  Not in storage, or damaged there, when it was made: ${unsound.join(', ')}`]),
    `Verified: ${rows} rows of ${header.tables.length} tables and ${blobs.count} files, by their counts and hashes.`,
    '',
  ].join('\n');
}
