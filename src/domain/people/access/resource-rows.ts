import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { MAX_SHARED, sharedRead } from '../../../platform/shared-reads.ts';
import { type DecidedAccess, guardColumns, type Hold, type Reading, withAccess } from './decide.ts';
import type { RoleTarget } from './role.ts';

/** A row of a space, collection or site. `blockedReason` is null unless the organization is read-only. */
type ResourceRow = { id: string; blockedReason: string | null };

const shared = {
  space: sharedRead((db, ids) => readRows(db, { kind: 'space', ids })),
  collection: sharedRead((db, ids) => readRows(db, { kind: 'collection', ids })),
  site: sharedRead((db, ids) => readRows(db, { kind: 'site', ids })),
};

/**
 * Spaces, collections or sites by id, with the caller's access to each. Requests that read without locks share their
 * statements.
 */
export function resourceRows<Row extends object>(
  ctx: Context,
  { kind, ids, hold }: { kind: RoleTarget; ids: readonly string[]; hold?: Hold | undefined },
): Promise<(Row & ResourceRow & DecidedAccess)[]> {
  const read = async ({ columns, end, isSame }: Reading) => {
    const found =
      isSame && !ctx.inTransaction ? await shared[kind](ctx, ids) : await readRows(ctx.db, { kind, ids, columns, end });
    return [...found.values()] as (Row & ResourceRow)[]; // of the table
  };
  const isOwn = ctx.inTransaction || ids.length > MAX_SHARED;
  return withAccess(ctx, { kind, row: 'r', hold, isOwn }, read);
}

async function readRows(
  db: Database,
  {
    kind,
    ids,
    columns = guardColumns({ kind, row: 'r' }),
    end = sql``,
  }: { kind: RoleTarget; ids: readonly string[]; columns?: RawBuilder<unknown>; end?: RawBuilder<unknown> },
): Promise<Map<string, ResourceRow>> {
  const { rows } = await sql<ResourceRow>`
    select r.*, ${columns}, o.blocked ->> 'reason' as "blockedReason"
    from ${sql.table(kind)} r
    join organization o on o.id = r.organization_id
    join access_version av on av.organization_id = r.organization_id
    where r.id = any(${ids as string[]}::text[]) ${end}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

const sharedGuards = {
  space: sharedRead((db, ids) => readGuards(db, { kind: 'space', ids })),
  collection: sharedRead((db, ids) => readGuards(db, { kind: 'collection', ids })),
  site: sharedRead((db, ids) => readGuards(db, { kind: 'site', ids })),
};

/** The caller's access to spaces, collections or sites by id, without their rows, which are many times as large. */
export function accessRows(
  ctx: Context,
  { kind, ids }: { kind: RoleTarget; ids: readonly string[] },
): Promise<({ accessId: string } & DecidedAccess)[]> {
  return withAccess(ctx, { kind, row: 'r' }, async ({ columns, isSame }) => {
    const found =
      isSame && !ctx.inTransaction
        ? await sharedGuards[kind](ctx, ids)
        : await readGuards(ctx.db, { kind, ids, columns: sql`r.id as "accessId", ${columns}` });
    return [...found.values()];
  });
}

async function readGuards(
  db: Database,
  {
    kind,
    ids,
    columns = guardColumns({ kind, row: 'r' }),
  }: { kind: RoleTarget; ids: readonly string[]; columns?: RawBuilder<unknown> },
): Promise<Map<string, { accessId: string }>> {
  const { rows } = await sql<{ accessId: string }>`
    select ${columns} from ${sql.table(kind)} r join access_version av on av.organization_id = r.organization_id
    where r.id = any(${ids as string[]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.accessId, row]));
}
