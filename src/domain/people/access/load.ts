import { type RawBuilder, sql } from 'kysely';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { forbidden, notFound, unauthenticated } from '../../../platform/errors.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { isShown, type RoleTarget, roleOn } from './role.ts';

/** The caller's access to a resource: the role, and whether a published site shows it (spaces only). */
export interface Access {
  role: Role | null;
  isShown: boolean;
}

/** Whether the caller can see the resource at all. */
export const isVisible = ({ role, isShown: shown }: Access) => shown || atLeast(role, 'read');

/** Row lock that a transaction holds until it ends. */
export type Lock = 'for no key update' | 'for key share' | 'for update';

/** The caller's access to resources of each kind, batched per request. Undefined for resources that do not exist. */
export const accessOn = {
  space: batchLoader<Access>('access:space', (ctx, ids) => readAccesses(ctx, 'space', ids)),
  collection: batchLoader<Access>('access:collection', (ctx, ids) => readAccesses(ctx, 'collection', ids)),
  site: batchLoader<Access>('access:site', (ctx, ids) => readAccesses(ctx, 'site', ids)),
};

/** The columns of `Access`, for statements that load rows along with it. */
export const accessColumns = (ctx: Context, kind: RoleTarget, row: string): RawBuilder<unknown> => {
  const shown = kind === 'space' ? isShown(ctx.actor, row) : sql`false`;
  return sql`${roleOn[kind](ctx.actor, row)} as role, ${shown} as "isShown"`;
};

/** The caller's access to a row, and whether the organization is blocked. */
export interface Loaded extends Access {
  /** Why the organization is read-only. Null if it is not. */
  blockedReason: string | null;
}

/**
 * The columns of `Loaded` for resources in a space, in a statement with the aliases `s` for the space and `o` for its
 * organization. `isShown` is false: published sites show no such resources.
 */
export const loadedInSpace = ({ actor }: Context) =>
  [
    roleOn.space(actor, 's').as('role'),
    sql<boolean>`false`.as('isShown'),
    sql<string | null>`o.blocked ->> 'reason'`.as('blockedReason'),
  ] as const;

/** Loads a row with the caller's access to it, and locks it if `lock` is set. Undefined if it does not exist. */
export async function loadWithAccess<Row>(
  ctx: Context,
  kind: RoleTarget,
  id: string,
  lock?: Lock,
): Promise<(Row & Loaded) | undefined> {
  // A separate statement, since a statement that waits for a lock reads grants as they were before it waited.
  if (lock) await sql`select from ${sql.table(kind)} where id = ${id} ${sql.raw(lock)}`.execute(ctx.db);
  const { rows } = await sql<Row & Loaded>`
    select r.*, ${accessColumns(ctx, kind, 'r')}, o.blocked ->> 'reason' as "blockedReason"
    from ${sql.table(kind)} r join organization o on o.id = r.organization_id
    where r.id = ${id}`.execute(ctx.db);
  const [row] = rows;
  // Commands may change the access, so that it must be read again after them.
  if (row && !ctx.inTransaction) accessOn[kind].prime(ctx, id, { role: row.role, isShown: row.isShown });
  return row;
}

/**
 * Returns the row if the caller has the wanted access. Otherwise throws: NOT_FOUND if the row does not exist or is
 * hidden (UNAUTHENTICATED without a token), FORBIDDEN if the role is too low or if a blocked organization would be changed.
 */
export function authorize<Row extends Access & Partial<Loaded>>(
  ctx: Context,
  row: Row | undefined,
  target: { what: string; id: string },
  wanted: Role | 'view',
): Row {
  if (!row || !isVisible(row)) throw absent(ctx, target.what, target.id);
  if (wanted === 'view') return row;
  if (!atLeast(row.role, wanted)) {
    if (ctx.actor.kind === 'anonymous') throw unauthenticated();
    throw forbidden(
      `This operation requires the role "${wanted}" on the ${target.what}. Your role is "${row.role ?? 'none'}".`,
    );
  }
  if (row.blockedReason && wanted !== 'read') throw blocked(row.blockedReason);
  return row;
}

/** The error of changes to a blocked organization. */
export const blocked = (reason: string) =>
  forbidden(`This organization is blocked: ${reason}. It can be read but not changed.`);

/** The error for a resource that does not exist or is hidden from the caller. */
export const absent = (ctx: Context, what: string, id: string) =>
  ctx.actor.kind === 'anonymous' ? unauthenticated() : notFound(what, id);

async function readAccesses(ctx: Context, kind: RoleTarget, ids: string[]): Promise<Map<string, Access>> {
  const { rows } = await sql<Access & { id: string }>`
    select r.id, ${accessColumns(ctx, kind, 'r')} from ${sql.table(kind)} r where r.id = any(${ids}::text[])`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ id, role, isShown: shown }) => [id, { role, isShown: shown }]));
}
