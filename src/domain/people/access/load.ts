import { type RawBuilder, sql } from 'kysely';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { forbidden, notFound, unauthenticated } from '../../../platform/errors.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { isShown, type RoleTarget, roleOn } from './role.ts';

/** The caller's access on a resource: the role, and whether a published site shows it (spaces only). */
export interface Access {
  role: Role | null;
  isShown: boolean;
}

/** Whether a access lets its holder see the resource at all. */
export const isVisible = ({ role, isShown: shown }: Access) => shown || atLeast(role, 'read');

/** How a row is held while its transaction lasts (docs/data-model.md, Locks). */
export type Lock = 'for no key update' | 'for key share' | 'for update';

/**
 * The access on many resources of a kind in one statement, batched over a request. An absent resource has none.
 */
export const accessOn = {
  space: batchLoader<Access>('access:space', (ctx, ids) => readAccesses(ctx, 'space', ids)),
  collection: batchLoader<Access>('access:collection', (ctx, ids) => readAccesses(ctx, 'collection', ids)),
  site: batchLoader<Access>('access:site', (ctx, ids) => readAccesses(ctx, 'site', ids)),
};

/** The columns that make a access, for statements that load rows with it. */
export const accessColumns = (ctx: Context, kind: RoleTarget, row: string): RawBuilder<unknown> => {
  const shown = kind === 'space' ? isShown(ctx.actor, row) : sql`false`;
  return sql`${roleOn[kind](ctx.actor, row)} as role, ${shown} as "isShown"`;
};

/** A row as a rule loads it, with what decides on it. */
export interface Loaded extends Access {
  /** Why the organization that owns it can only be read; null: it can be written. */
  blockedReason: string | null;
}

/**
 * The columns that make `Loaded` of what lies in a space: a statement calls the space `s` and its organization `o`. A
 * published site shows a space, and nothing of what this is for.
 */
export const loadedInSpace = ({ actor }: Context) =>
  [
    roleOn.space(actor, 's').as('role'),
    sql<boolean>`false`.as('isShown'),
    sql<string | null>`o.blocked ->> 'reason'`.as('blockedReason'),
  ] as const;

/** Loads one row with the caller's access on it, and locks it when asked. Undefined: there is none. */
export async function loadWithAccess<Row>(
  ctx: Context,
  kind: RoleTarget,
  id: string,
  lock?: Lock,
): Promise<(Row & Loaded) | undefined> {
  // A statement of its own: one that waits for a lock sees grants as they were before it waited.
  if (lock) await sql`select from ${sql.table(kind)} where id = ${id} ${sql.raw(lock)}`.execute(ctx.db);
  const { rows } = await sql<Row & Loaded>`
    select r.*, ${accessColumns(ctx, kind, 'r')}, o.blocked ->> 'reason' as "blockedReason"
    from ${sql.table(kind)} r join organization o on o.id = r.organization_id
    where r.id = ${id}`.execute(ctx.db);
  const [row] = rows;
  // What a command is about to change is read again by those who show it.
  if (row && !ctx.inTransaction) accessOn[kind].prime(ctx, id, { role: row.role, isShown: row.isShown });
  return row;
}

/**
 * Loading is authorizing: refuses what is absent or hidden (401 without a token, which tells nothing), what the caller
 * sees but may not do, and everything beyond reading in a blocked organization.
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
    throw forbidden(`This needs the role "${wanted}" on the ${target.what}; yours is "${row.role ?? 'none'}".`);
  }
  if (row.blockedReason && wanted !== 'read') throw blocked(row.blockedReason);
  return row;
}

/** Refuses everything but reading in a blocked organization. */
export const blocked = (reason: string) =>
  forbidden(`This organization is blocked: ${reason}. It can be read, not changed.`);

/** Nothing there for this caller. */
export const absent = (ctx: Context, what: string, id: string) =>
  ctx.actor.kind === 'anonymous' ? unauthenticated() : notFound(what, id);

async function readAccesses(ctx: Context, kind: RoleTarget, ids: string[]): Promise<Map<string, Access>> {
  const { rows } = await sql<Access & { id: string }>`
    select r.id, ${accessColumns(ctx, kind, 'r')} from ${sql.table(kind)} r where r.id = any(${ids}::text[])`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ id, role, isShown: shown }) => [id, { role, isShown: shown }]));
}
