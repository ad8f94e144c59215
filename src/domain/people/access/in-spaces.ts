import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { rowsOf, withAccess } from './decide.ts';
import { type Holding, holdOf, type Loaded } from './load.ts';

/** Resources that belong to spaces, as a part of a statement. */
interface InSpaces extends Holding {
  /** Selected columns. */
  select: RawBuilder<unknown>;
  /** The table of the resource. */
  from: RawBuilder<unknown>;
  /** Alias of the table of the resource, which has a column `space_id`. */
  row: string;
  where: RawBuilder<unknown>;
  /** Also locks the space against transfers. */
  holdsSpace?: true;
}

/**
 * Reads resources in spaces that are not deleted, with the caller's role on the space. `isShown` is false: published sites
 * show no such resources. The row is locked before the space.
 */
export async function rowsInSpaces<Row extends object>(
  ctx: Context,
  { select, from, row, where, holdsSpace, ...holding }: InSpaces,
): Promise<(Row & Loaded)[]> {
  const held = holdOf(ctx, row, holding);
  const hold = held && holdsSpace ? { ...held, rows: `${held.rows ?? ''} for key share of s` } : held;
  const rows = await withAccess(ctx, { kind: 'space', row: 's', hold, isOwn: true }, ({ columns, end }) =>
    rowsOf<Row & { blockedReason: string | null }>(
      ctx,
      sql`
        select ${select}, ${columns}, o.blocked ->> 'reason' as "blockedReason"
        from ${from}
        join space s on s.id = ${sql.ref(`${row}.space_id`)}
        join organization o on o.id = s.organization_id
        join access_version av on av.organization_id = s.organization_id
        where ${where} and s.deleted_at is null ${end}`,
    ),
  );
  for (const each of rows) each.isShown = false;
  return rows;
}
