import { sql } from 'kysely';
import { reachOf, userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { forbidden, notFound } from '../../../platform/errors/errors.ts';
import type { ReturnedColumns } from '../../../platform/events/write-statement.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { batchLoader, sharedLoader } from '../../../platform/reads/loader.ts';
import { isActing, roleFor } from '../access/index.ts';

/**
 * A user as visible to everyone who knows the id. The email address is loaded separately (`emailOf`), unless a command
 * of an operator returns the account.
 */
export type VisibleUser = Omit<Row<'user'>, 'email' | 'unverifiedEmail'> & { email?: string | null };

const COLUMNS = [
  'id',
  'displayName',
  'photoUrl',
  'isOperator',
  'createdAt',
  'updatedAt',
  'version',
] as const satisfies (keyof VisibleUser)[];

/** Each column, and its name in the result of a statement with `userOfColumn`. */
const SHOWN = COLUMNS.map((column) => [column, `user${column[0]?.toUpperCase()}${column.slice(1)}`] as const);

/** For `writeStatement`: the user whom a column of the written row names. `userIn` takes it from the result. */
export const userOfColumn = (column: string): ReturnedColumns => ({
  columns: sql.join(SHOWN.map(([each, alias]) => sql`${sql.ref(`u.${each}`)} as ${sql.ref(alias)}`)),
  from: sql`left join "user" u on u.id = changed.${sql.ref(column)}`,
});

/** The user in the result of a statement with `userOfColumn`. Undefined if there is none. */
export function userIn(row: object): VisibleUser | undefined {
  const values = row as Record<string, unknown>;
  if (values.userId === null) return undefined;
  return Object.fromEntries(SHOWN.map(([column, alias]) => [column, values[alias]])) as unknown as VisibleUser; // its columns
}

/**
 * Users by id, batched. Name and photo are visible to everyone who knows the id. Rows, unlike other kinds of nodes: a
 * list of comments or members shows as many users as it has items, and entities took 1.7 ms of the 10 ms of a list of
 * 100 comments.
 */
export const loadUser = sharedLoader<VisibleUser>('user', async (db, ids) => {
  const rows = await db.selectFrom('user').where('id', '=', anyOf(ids)).select(COLUMNS).execute();
  return new Map(rows.map((row) => [row.id, row]));
});

/** The addresses of a user, as far as the caller may see them. */
interface Addresses {
  email: string | null;
  unverifiedEmail: string | null;
}

/**
 * The addresses of users by id, batched. Undefined unless the user is the caller or shares an organization with the
 * caller.
 *
 * The address is the verified one, else the one that an identity provider or an invitation gave to a membership. It is
 * shown to the user, and to callers who may list the members of a common organization that the user has agreed to join;
 * that of a membership only in its organization. A claimed address is shown only to the user. It is hidden in SSO
 * sessions, for which an organization vouches, and from applications that are limited to some organizations.
 */
export const addressesOf = batchLoader<Addresses>('user:addresses', async (ctx, ids) => {
  const { actor } = ctx;
  const viewerId = userIdOf(actor);
  if (viewerId === undefined) return new Map();
  const isSelf = sql`u.id = ${viewerId}`;
  const claimed = reachOf(actor) ? sql`null` : sql`case when ${isSelf} then u.unverified_email end`;
  const { rows } = await sql<Addresses & { id: string }>`
    select u.id, ${claimed} as unverified_email, coalesce(
      case when ${isSelf} or common.lists then u.email end, common.email) as email
    from "user" u
    left join lateral (
      select true as is_shared, bool_or(theirs.is_accepted and ${roleFor(actor, 'own')} is not null) as lists,
        (array_agg(theirs.email order by theirs.joined_at, theirs.id)
          filter (where theirs.email is not null and (${roleFor(actor, 'own')} is not null or ${isSelf})))[1] as email
      from membership theirs join membership own on own.organization_id = theirs.organization_id
      where theirs.user_id = u.id and ${isActing(actor, 'own')}
      having count(*) > 0
    ) common on true
    where u.id = any(${ids}::text[]) and (${isSelf} or common.is_shared)`.execute(ctx.db);
  return new Map(rows.map(({ id, ...addresses }) => [id, addresses]));
});

/** Email addresses by the id of the user, as far as the caller may see them. */
export const emailOf = async (ctx: Context, id: string): Promise<string | null> =>
  (await addressesOf(ctx, id))?.email ?? null;

/**
 * The user, if it is the caller or shares an organization with the caller. Otherwise NOT_FOUND. With `self`, accounts
 * of other users are FORBIDDEN.
 */
export async function userFor(ctx: Context, id: string, access: 'view' | 'self'): Promise<VisibleUser> {
  // The addresses are read with whether the caller sees the account.
  const [user, addresses] = await Promise.all([loadUser(ctx, id), addressesOf(ctx, id)]);
  if (!user || !addresses) throw notFound('user', id);
  if (access === 'self' && userIdOf(ctx.actor) !== id) throw forbidden('You can only change your own account.');
  return recordVersion(ctx, user, {});
}
