import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';
import { inputColumns, withAccess } from './decide.ts';
import { accessLockFor, type Loaded, type LockOptions } from './load.ts';

/** Resources that belong to spaces, as a part of a statement. */
interface TableInSpaces {
  /** Selected columns. They can refer to the space as `s`. */
  select: RawBuilder<unknown>;
  /** The table of the resource. */
  from: RawBuilder<unknown>;
  /** Alias of the table of the resource, which has a column `space_id`. */
  row: string;
  /** Published sites can show the resources: `isShown` is taken from the space. By default, it is false. */
  isOnSites?: true;
}

interface InSpaces extends TableInSpaces, LockOptions {
  where: RawBuilder<unknown>;
  /** Also locks the space against transfers. */
  locksSpace?: true;
}

/**
 * Reads resources in spaces that are not deleted, with the caller's role on the space. The row is locked before the
 * space.
 */
export async function rowsInSpaces<Row extends object>(
  ctx: Context,
  { select, from, row, isOnSites, where, locksSpace, ...locks }: InSpaces,
): Promise<(Row & Loaded)[]> {
  const baseLock = accessLockFor(ctx, row, locks);
  const accessLock =
    baseLock && locksSpace ? { ...baseLock, rows: `${baseLock.rows ?? ''} for key share of s` } : baseLock;
  const rows = await withAccess(ctx, { kind: 'space', row: 's', accessLock, mayChangeRows: true }, ({ columns, end }) =>
    readRows<Row>(ctx.db, { select, from, row }, { where, columns, end }),
  );
  return isOnSites ? rows : unshown(rows);
}

/**
 * The same by keys, for reads without locks: requests share their statements (`sharedRead`). `where` is the condition
 * of the keys, `keyOf` the key of a row.
 */
export function sharedRowsInSpaces<Row extends object>(
  table: TableInSpaces,
  { where, keyOf }: { where(keys: string[]): RawBuilder<unknown>; keyOf(row: Row): string },
): (ctx: Context, keys: readonly string[]) => Promise<(Row & Loaded)[]> {
  const columns = inputColumns({ kind: 'space', row: 's' });
  const shared = sharedRead(async (db, keys) => {
    const rows = await readRows<Row>(db, table, { where: where(keys), columns, end: sql`` });
    return new Map(rows.map((row) => [keyOf(row), row]));
  });
  return async (ctx, keys) => {
    const accessLock = accessLockFor(ctx, table.row, {});
    const rows = await withAccess(ctx, { kind: 'space', row: 's', accessLock }, async (selection) =>
      selection.isCallerIndependent
        ? [...(await shared(ctx, keys)).values()]
        : readRows<Row>(ctx.db, table, { where: where([...keys]), ...selection }),
    );
    return table.isOnSites ? rows : unshown(rows);
  };
}

async function readRows<Row>(
  db: Database,
  { select, from, row }: TableInSpaces,
  { where, columns, end }: { where: RawBuilder<unknown>; columns: RawBuilder<unknown>; end: RawBuilder<unknown> },
): Promise<(Row & { blockedReason: string | null })[]> {
  const { rows } = await sql<Row & { blockedReason: string | null }>`
    select ${select}, ${columns}, o.blocked ->> 'reason' as "blockedReason"
    from ${from}
    join space s on s.id = ${sql.ref(`${row}.space_id`)}
    join organization o on o.id = s.organization_id
    join access_version av on av.organization_id = s.organization_id
    where ${where} and s.deleted_at is null ${end}`.execute(db);
  return rows;
}

/** Sets `isShown` to false, in place: `withAccess` returns copies of shared rows. */
function unshown<Row extends Loaded>(rows: Row[]): Row[] {
  for (const row of rows) row.isShown = false;
  return rows;
}
