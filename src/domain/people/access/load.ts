import { type RawBuilder, sql } from 'kysely';
import { atLeast, type Level } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { forbidden, notFound, unauthenticated } from '../../../platform/errors.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { isShown, type LevelKind, levelOn } from './level.ts';

/** The caller's standing on a resource: the level, and whether a published site shows it (spaces only). */
export interface Standing {
  level: Level | null;
  isShown: boolean;
}

/** Whether a standing lets its holder see the resource at all. */
export const isVisible = ({ level, isShown: shown }: Standing) => shown || atLeast(level, 'read');

/** How a row is held while its transaction lasts (docs/data-model.md, Locks). */
export type Lock = 'for no key update' | 'for key share' | 'for update';

/**
 * The standing on many resources of a kind in one statement, batched over a request. An absent resource has none.
 */
export const standingOn = {
  space: batchLoader<Standing>('standing:space', (ctx, ids) => readStandings(ctx, 'space', ids)),
  collection: batchLoader<Standing>('standing:collection', (ctx, ids) => readStandings(ctx, 'collection', ids)),
  site: batchLoader<Standing>('standing:site', (ctx, ids) => readStandings(ctx, 'site', ids)),
};

/** The columns that make a standing, for statements that load rows with it. */
export const standingColumns = (ctx: Context, kind: LevelKind, row: string): RawBuilder<unknown> => {
  const shown = kind === 'space' ? isShown(ctx.actor, row) : sql`false`;
  return sql`${levelOn[kind](ctx.actor, row)} as level, ${shown} as "isShown"`;
};

/** A row as a rule loads it, with what decides on it. */
export interface Loaded extends Standing {
  /** Why the organization that owns it can only be read; null: it can be written. */
  blockedReason: string | null;
}

/** Loads one row with the caller's standing on it, and locks it when asked. Undefined: there is none. */
export async function loadWithStanding<Row>(
  ctx: Context,
  kind: LevelKind,
  id: string,
  lock?: Lock,
): Promise<(Row & Loaded) | undefined> {
  // A statement of its own: one that waits for a lock sees grants as they were before it waited.
  if (lock) await sql`select from ${sql.table(kind)} where id = ${id} ${sql.raw(lock)}`.execute(ctx.db);
  const { rows } = await sql<Row & Loaded>`
    select r.*, ${standingColumns(ctx, kind, 'r')}, o.blocked ->> 'reason' as "blockedReason"
    from ${sql.table(kind)} r join organization o on o.id = r.organization_id
    where r.id = ${id}`.execute(ctx.db);
  const [row] = rows;
  // What a command is about to change is read again by those who show it.
  if (row && !ctx.inTransaction) standingOn[kind].prime(ctx, id, { level: row.level, isShown: row.isShown });
  return row;
}

/**
 * Loading is authorizing: refuses what is absent or hidden (401 without a token, which tells nothing), what the caller
 * sees but may not do, and everything beyond reading in a blocked organization.
 */
export function authorize<Row extends Standing & Partial<Loaded>>(
  ctx: Context,
  row: Row | undefined,
  target: { what: string; id: string },
  wanted: Level | 'view',
): Row {
  if (!row || !isVisible(row)) throw absent(ctx, target.what, target.id);
  if (wanted === 'view') return row;
  if (!atLeast(row.level, wanted)) {
    if (ctx.actor.kind === 'anonymous') throw unauthenticated();
    throw forbidden(`This needs the role "${wanted}" on the ${target.what}; yours is "${row.level ?? 'none'}".`);
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

async function readStandings(ctx: Context, kind: LevelKind, ids: string[]): Promise<Map<string, Standing>> {
  const { rows } = await sql<Standing & { id: string }>`
    select r.id, ${standingColumns(ctx, kind, 'r')} from ${sql.table(kind)} r where r.id = any(${ids}::text[])`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ id, level, isShown: shown }) => [id, { level, isShown: shown }]));
}
