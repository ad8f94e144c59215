import { resolve } from 'node:path';
import { ConfigError } from './config.ts';
import type { Backup } from './platform/backup/read-archive.ts';

/** The file argument of the command line, relative to the directory of the shell: npm changes the directory. */
export function fileArgument(command: string): string {
  const [file] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  if (file === undefined) throw new ConfigError(`Missing file. Usage: npm run ${command} -- FILE`);
  return resolve(process.env.INIT_CWD ?? '.', file);
}

/** The report of a backup that was created or restored. */
export function backupReport(verb: string, path: string, { header, manifest }: Backup): string {
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
    `  ${blobs.count} files, ${blobs.bytes} bytes, sha256 of the file names ${blobs.sha256}`,
    ...(unsound.length === 0
      ? []
      : [`  Missing or damaged in storage at the time of the backup: ${unsound.join(', ')}`]),
    `Verified: ${rows} rows of ${header.tables.length} tables and ${blobs.count} files, by their counts and hashes.`,
    '',
  ].join('\n');
}
