import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { statement } from '../../../platform/database/statement.ts';
import { entitiesById } from '../../../platform/reads/entity-loader.ts';
import { MAX_SHARED, type SharedRead, sharedRead } from '../../../platform/reads/shared-reads.ts';
import {
  type AccessInputs,
  type AccessLock,
  type AccessSelection,
  type DecidedAccess,
  inputColumns,
  withAccess,
} from './decide.ts';
import type { RoleTarget } from './rule/sql-rule.ts';

/** A row of a space, collection or site. `blockedReason` is null unless the organization is read-only. */
type ResourceRow = { id: string; blockedReason: string | null };

/**
 * Spaces, collections or sites by id, with the caller's access to each. Requests that read without locks share their
 * statements.
 */
export function resourceRows<Row extends object>(
  ctx: Context,
  { kind, ids, accessLock }: { kind: RoleTarget; ids: readonly string[]; accessLock?: AccessLock | undefined },
): Promise<(Row & ResourceRow & DecidedAccess)[]> {
  const read = async ({ columns, end, isCallerIndependent }: AccessSelection) => {
    const rows =
      isCallerIndependent && !ctx.inTransaction
        ? [...(await shared[kind](ctx, ids)).values()]
        : (await rowsStatement(kind, ids, { columns, end }).execute(ctx.db)).rows;
    return rows as (Row & ResourceRow)[]; // of the table
  };
  const mayChangeRows = ctx.inTransaction || ids.length > MAX_SHARED;
  return withAccess(ctx, { kind, row: 'r', accessLock, mayChangeRows }, read);
}

interface Columns {
  columns: RawBuilder<unknown>;
  end?: RawBuilder<unknown>;
}

const rowsStatement = (kind: RoleTarget, ids: readonly string[], { columns, end = sql`` }: Columns) => sql<ResourceRow>`
  select r.*, ${columns}, o.blocked ->> 'reason' as "blockedReason"
  from ${sql.table(kind)} r
  join organization o on o.id = r.organization_id
  join access_version av on av.organization_id = r.organization_id
  where r.id = any(${ids}::text[]) ${end}`;

const sharedRows = (kind: RoleTarget) => {
  const select = statement((_db, { ids }: { ids: string[] }) =>
    rowsStatement(kind, ids, { columns: inputColumns({ kind, row: 'r' }) }),
  );
  return sharedRead(async (db, ids) => byId(await select({ db }, { ids })));
};

const byId = (rows: readonly ResourceRow[]) => new Map(rows.map((row) => [row.id, row]));

interface EntityWithAccessInputs extends ResourceRow {
  organizationId: string;
  defaultLevel: Role | null;
  accessParentId?: string | null;
  accessVersion: string;
}

/** The same as entities, with `accessFormulas`. */
function sharedEntities(name: string): SharedRead<ResourceRow> {
  const read = entitiesById<EntityWithAccessInputs>(name, {
    populate: ['accessVersion', 'accessParentId', 'blockedReason'],
  });
  return async (ctx, ids) => byId([...(await read(ctx, ids)).values()].map(withAccessInputs));
}

const withAccessInputs = (entity: EntityWithAccessInputs): EntityWithAccessInputs & AccessInputs => ({
  ...entity,
  accessId: entity.id,
  accessOrganizationId: entity.organizationId,
  accessLevel: entity.defaultLevel,
  accessParentId: entity.accessParentId ?? null,
});

/** Spaces are read as rows: nearly every request reads one. */
const shared: Record<RoleTarget, SharedRead<ResourceRow>> = {
  space: sharedRows('space'),
  collection: sharedEntities('Collection'),
  site: sharedEntities('Site'),
};

const accessInputsStatement = (kind: RoleTarget, ids: readonly string[], { columns }: Columns) => sql<{
  accessId: string;
}>`
  select ${columns} from ${sql.table(kind)} r join access_version av on av.organization_id = r.organization_id
  where r.id = any(${ids}::text[])`;

const accessInputsOf = (kind: RoleTarget) => {
  const select = statement((_db, { ids }: { ids: string[] }) =>
    accessInputsStatement(kind, ids, { columns: inputColumns({ kind, row: 'r' }) }),
  );
  return sharedRead(async (db, ids) => {
    const rows = await select({ db }, { ids });
    return new Map(rows.map((row) => [row.accessId, row]));
  });
};

const sharedAccessInputs = {
  space: accessInputsOf('space'),
  collection: accessInputsOf('collection'),
  site: accessInputsOf('site'),
};

/** The caller's access to spaces, collections or sites by id, without their rows, which are many times as large. */
export function readAccess(
  ctx: Context,
  { kind, ids }: { kind: RoleTarget; ids: readonly string[] },
): Promise<({ accessId: string } & DecidedAccess)[]> {
  return withAccess(ctx, { kind, row: 'r' }, async ({ columns, isCallerIndependent }) =>
    isCallerIndependent && !ctx.inTransaction
      ? [...(await sharedAccessInputs[kind](ctx, ids)).values()]
      : (await accessInputsStatement(kind, ids, { columns: sql`r.id as "accessId", ${columns}` }).execute(ctx.db)).rows,
  );
}
