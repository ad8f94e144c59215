import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { ApiError, conflict, notFound } from '../../../platform/errors/errors.ts';
import { organizationForAccess, permissions, reaches, roleSql } from '../../people/access/index.ts';
import { membersAmong, usersIn } from '../../people/organizations/index.ts';
import { authorizeLeaving } from '../collections/index.ts';
import { readParentUncached } from '../placement/index.ts';
import { preconditionFailed, rejectUnmet, type Transfer } from './preconditions.ts';

/**
 * Throws FORBIDDEN unless the caller is an admin of the collection that contains the item or, at the top level, of the
 * organization.
 */
export async function authorizeOwnPlace(ctx: Context, itemId: string, organizationId: string): Promise<void> {
  const parentId = (await readParentUncached(ctx, itemId)) ?? null;
  await authorizeLeaving(ctx, { organizationId, parentId }, permissions.transferSpace);
}

/**
 * Locks the target organization. CONFLICT if it is the present one, NOT_FOUND if it does not exist or the caller cannot
 * create content there.
 */
export async function lockTransferTarget(ctx: Context, { from, to }: Pick<Transfer, 'from' | 'to'>): Promise<void> {
  try {
    await organizationForAccess(ctx, to, 'createContent', 'for no key update');
  } catch (error) {
    throw error instanceof ApiError && error.code === 'FORBIDDEN' ? notFound('organization', to) : error;
  }
  if (from === to) throw conflict('The organization already owns the item. Choose another organization.');
}

/** Throws PRECONDITION_FAILED if something keeps one of the spaces or collections in its organization. */
export async function rejectTransfer(ctx: Context, transfer: Transfer): Promise<void> {
  await rejectWithoutAdmin(ctx, transfer);
  await rejectLinked(ctx, transfer);
  await rejectImporting(ctx, transfer);
  await rejectForeignReviewers(ctx, transfer);
  await rejectUnmet(ctx, transfer);
}

/** The content of a collection can be hidden from its admin. */
async function rejectWithoutAdmin(ctx: Context, { spaceIds, collectionIds }: Transfer): Promise<void> {
  const { rows } = await sql`
    select from space s where s.id = ${anyOf(spaceIds)} and not ${reaches(roleSql.space(ctx.actor, 's'), 'admin')}
    union all
    select from collection c
    where c.id = ${anyOf(collectionIds)} and not ${reaches(roleSql.collection(ctx.actor, 'c'), 'admin')}
    limit 1`.execute(ctx.db);
  if (rows.length > 0)
    throw preconditionFailed('A transfer requires the role "admin" on everything that the collection contains.');
}

async function rejectLinked({ db }: Context, { spaceIds }: Transfer): Promise<void> {
  const linked = await db
    .selectFrom('site_space')
    .where('spaceId', '=', anyOf(spaceIds))
    .select('spaceId')
    .executeTakeFirst();
  if (linked)
    throw preconditionFailed(`The space "${linked.spaceId}" is linked to a site. Remove it from its sites first.`);
}

async function rejectImporting({ db }: Context, { spaceIds }: Transfer): Promise<void> {
  const importing = await db
    .selectFrom('import_run')
    .where('spaceId', '=', anyOf(spaceIds))
    .where('status', 'in', ['pending', 'in-progress'])
    .select('spaceId')
    .executeTakeFirst();
  if (importing)
    throw preconditionFailed(
      `An import into the space "${importing.spaceId}" is running. Wait until it has ended, or cancel it.`,
    );
}

/** Merge rules that name users who are not members of the target could not be met there. */
async function rejectForeignReviewers(ctx: Context, { spaceIds, to }: Transfer): Promise<void> {
  const spaces = await ctx.db
    .selectFrom('space')
    .where('id', '=', anyOf(spaceIds))
    .select(['id', 'mergeRules'])
    .orderBy('id')
    .execute();
  const memberIds = await membersAmong(ctx, to, [...new Set(spaces.flatMap(({ mergeRules }) => usersIn(mergeRules)))]);
  const isForeign = (userId: string) => !memberIds.has(userId);
  const hindered = spaces.find(({ mergeRules }) => usersIn(mergeRules).some(isForeign));
  if (hindered) {
    throw preconditionFailed(
      `The merge rules of the space "${hindered.id}" name a user who is not a member of the target organization. Change them first.`,
    );
  }
}
