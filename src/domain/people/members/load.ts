import { type RawBuilder, sql } from 'kysely';
import { type Actor, userIdOf } from '../../../platform/access/actor.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { isActing, roleFor } from '../access/index.ts';

export type MemberRow = Row<'membership'>;

/** A member in a list that also shows members for whom `isMemberVisible` is false. */
export type ListedMember = MemberRow & {
  /** The caller sees who the member is, but neither address and sign-ins nor teams and spaces. */
  hidesDetails?: boolean;
};

/**
 * The condition that the caller sees a member: those with a role in the organization see all, guests only themselves.
 * `row` is the alias of the table.
 */
export const isMemberVisible = (actor: Actor, row: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from membership own where own.organization_id = ${sql.ref(`${row}.organization_id`)} and ${isActing(actor, 'own')}
    and (${roleFor(actor, 'own')} is not null or own.id = ${sql.ref(`${row}.id`)}))`;

/** Members by id, batched. Visible to members of the organization with a role, and to the member. */
export const loadMember = rowLoader<MemberRow>('member', async (ctx, ids) => {
  if (userIdOf(ctx.actor) === undefined) return [];
  return ctx.db
    .selectFrom('membership as m')
    .where('m.id', '=', anyOf(ids))
    .where(isMemberVisible(ctx.actor, 'm'))
    .selectAll('m')
    .execute();
});
