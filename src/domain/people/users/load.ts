import { sql } from 'kysely';
import { userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { forbidden, notFound } from '../../../platform/errors.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { compareVersion } from '../../../platform/version.ts';
import type { Lock } from '../access/index.ts';

/** A user as the caller can see them. The email address is null unless they share an organization. */
export type VisibleUser = Omit<Row<'user'>, 'email'> & { email: string | null };

/** Users by id, batched. Name and photo are visible to everyone who knows the id. */
export const loadUser = rowLoader<VisibleUser>('user', (ctx, ids) =>
  ctx.db
    .selectFrom('user as u')
    .where('u.id', '=', anyOf(ids))
    .select([
      'u.id',
      'u.displayName',
      'u.photoUrl',
      'u.isEmailVerified',
      'u.isOperator',
      'u.createdAt',
      'u.updatedAt',
      'u.version',
    ])
    .select(sql<string | null>`case when ${sharesOrganization(ctx)} then u.email end`.as('email'))
    .execute(),
);

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
  const user = await loadUser(ctx, id);
  // The column is not nullable: null means that no organization is shared.
  if (!user || user.email === null) throw notFound('user', id);
  if (wanted === 'self' && userIdOf(ctx.actor) !== id) throw forbidden('You can only change your own account.');
  return compareVersion(ctx, user, { lock });
}

function sharesOrganization(ctx: Context) {
  const viewerId = userIdOf(ctx.actor);
  if (viewerId === undefined) return sql`false`;
  return sql`(u.id = ${viewerId} or exists (
    select from membership theirs join membership own on own.organization_id = theirs.organization_id
    where theirs.user_id = u.id and own.user_id = ${viewerId} and not own.is_disabled))`;
}
