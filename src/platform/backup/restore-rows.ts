import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type Copied, columnList, copiedJobs, copiedTable, JOBS } from './copied.ts';
import { BackupError, type TableTotals } from './format.ts';
import { rowTally } from './tally.ts';

const copiedOf = (name: string, columns: string[]) =>
  name === JOBS ? copiedJobs(columns) : copiedTable(name, columns);

/** Inserts the rows of a table unchanged, with triggers disabled. */
export async function restoreRows(
  client: pg.ClientBase,
  name: string,
  columns: string[],
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  const copied = copiedOf(name, columns);
  const isOurs = name !== JOBS;
  if (isOurs) await client.query(`alter table ${copied.relation} disable trigger user`);
  // Migrations have inserted rows.
  if (isOurs) await client.query(`delete from ${copied.relation}`);
  await pipeline(rows, client.query(copyFrom(`copy ${copied.relation} (${columnList(copied)}) from stdin`)));
  if (isOurs) await client.query(`alter table ${copied.relation} enable trigger user`);
  if (isOurs) await advanceSequences(client, name, columns);
}

/** Sets sequences to continue after the restored values. */
async function advanceSequences(client: pg.ClientBase, name: string, columns: string[]): Promise<void> {
  const { rows } = await client.query<{ command: string }>(
    `select format('select setval(%L, coalesce(max(%I), 1), max(%I) is not null) from public.%I', s.name, c.name, c.name, $1)
       as command
     from unnest($2::text[]) c(name), pg_get_serial_sequence(format('public.%I', $1::text), c.name) s(name)
     where s.name is not null`,
    [name, columns],
  );
  for (const { command } of rows) await client.query(command);
}

/** Compares the rows of a table with the totals in the backup. Throws if they differ. */
export async function compareRows(
  client: pg.ClientBase,
  { name, columns }: Pick<Copied, 'name' | 'columns'>,
  { rows, rowsHash }: TableTotals,
): Promise<void> {
  const tally = rowTally();
  const out = client.query(copyTo(`copy (${copiedOf(name, columns).select}) to stdout`));
  for await (const chunk of out as AsyncIterable<Buffer>) tally.add(chunk);
  const actual = tally.totals();
  if (actual.rows === rows && actual.rowsHash === rowsHash) return;
  throw new BackupError(
    `The table ${name} differs from the backup: it has ${actual.rows} rows (${actual.rowsHash}) instead of ${rows} (${rowsHash}).`,
  );
}
