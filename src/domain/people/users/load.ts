import { sql } from 'kysely';
import { userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { forbidden, notFound } from '../../../platform/errors.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { sharedRead } from '../../../platform/shared-reads.ts';
import { compareVersion } from '../../../platform/version.ts';
import type { Shown } from '../../../platform/write-statement.ts';
import { isActing, type Lock } from '../access/index.ts';

/**
 * A user as everyone can see them who knows the id. The email address is loaded separately (`emailOf`), unless a command
 * of an operator returns the account.
 */
export type VisibleUser = Omit<Row<'user'>, 'email'> & { email?: string };

const COLUMNS = [
  'id',
  'displayName',
  'photoUrl',
  'isEmailVerified',
  'isOperator',
  'createdAt',
  'updatedAt',
  'version',
] as const satisfies (keyof VisibleUser)[];

const selectUsers = statement((db, { ids }: { ids: string[] }) =>
  db.selectFrom('user').where('id', '=', anyOf(ids)).select(COLUMNS),
);

/** Each column, and its name in the result of a statement with `userOfColumn`. */
const SHOWN = COLUMNS.map((column) => [column, `user${column[0]?.toUpperCase()}${column.slice(1)}`] as const);

/** For `writeStatement`: the user whom a column of the written row names. `userIn` takes it from the result. */
export const userOfColumn = (column: string): Shown => ({
  columns: sql.join(SHOWN.map(([each, alias]) => sql`${sql.ref(`u.${each}`)} as ${sql.ref(alias)}`)),
  from: sql`left join "user" u on u.id = changed.${sql.ref(column)}`,
});

/** The user in the result of a statement with `userOfColumn`. Undefined if there is none. */
export function userIn(row: object): VisibleUser | undefined {
  const values = row as Record<string, unknown>;
  if (values.userId === null) return undefined;
  return Object.fromEntries(SHOWN.map(([column, alias]) => [column, values[alias]])) as unknown as VisibleUser; // its columns
}

const readUsers = sharedRead<VisibleUser>(async (db, ids) => {
  const rows = await selectUsers({ db }, { ids });
  return new Map(rows.map((row) => [row.id, row]));
});

/** Users by id, batched. Name and photo are visible to everyone who knows the id. */
export const loadUser = batchLoader<VisibleUser>('user', readUsers);

/** Email addresses by the id of the user, batched. Only the caller's own and those of users who share an organization. */
export const emailOf = batchLoader<string>('user:email', async (ctx, ids) => {
  const rows = await ctx.db
    .selectFrom('user as u')
    .where('u.id', '=', anyOf(ids))
    .where(sharesOrganization(ctx))
    .select(['u.id', 'u.email'])
    .execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
});

/**
 * The user, if it is the caller or shares an organization with the caller. Otherwise NOT_FOUND. With `self`, accounts
 * of other users are FORBIDDEN. `lock` locks the row.
 */
export async function userFor(
  ctx: Context,
  id: string,
  wanted: 'view' | 'self',
  { lock }: { lock?: Lock } = {},
): Promise<VisibleUser> {
  if (lock) await sql`select from "user" where id = ${id} ${sql.raw(lock)}`.execute(ctx.db);
  // The address is shown to the same callers as the account.
  const [user, email] = await Promise.all([loadUser(ctx, id), emailOf(ctx, id)]);
  if (!user || email === undefined) throw notFound('user', id);
  if (wanted === 'self' && userIdOf(ctx.actor) !== id) throw forbidden('You can only change your own account.');
  return compareVersion(ctx, user, { lock });
}

function sharesOrganization(ctx: Context) {
  const viewerId = userIdOf(ctx.actor);
  if (viewerId === undefined) return sql<boolean>`false`;
  return sql<boolean>`(u.id = ${viewerId} or exists (
    select from membership theirs join membership own on own.organization_id = theirs.organization_id
    where theirs.user_id = u.id and ${isActing(ctx.actor, 'own')}))`;
}
