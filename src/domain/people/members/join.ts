import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { newId } from '../../../platform/ids/ids.ts';
import type { MemberRow } from './load.ts';
import { rejectSecondAccount } from './managed-by-scim.ts';

/** How a user becomes a member. */
export interface Joining {
  organizationId: string;
  userId: string;
  /** Null for guests. */
  role: Row<'membership'>['role'];
  /** The member signs in with SSO. */
  isSso?: boolean;
  /** The address that an invitation gave, or by which an admin has added the person. */
  email?: string | null;
  /** False if the person is added by an admin and has not agreed. Default true. */
  isAccepted?: boolean;
}

/**
 * Makes a user a member of an organization and records `member_joined`. Returns an existing membership with `isNew`
 * false. The caller has locked the access of the organization (`lockAccess`) and has checked the permission. CONFLICT
 * if SCIM manages another member with an address of the user.
 */
export async function joinAs(
  ctx: Context,
  { organizationId, userId, role, isSso = false, email = null, isAccepted = true }: Joining,
): Promise<{ member: MemberRow; isNew: boolean }> {
  const inserted = await ctx.db
    .insertInto('membership')
    .values({ id: newId('member'), organizationId, userId, role, isSso, email, isAccepted, joinedAt: nowOf(ctx) })
    .onConflict((conflict) => conflict.columns(['organizationId', 'userId']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted) {
    await rejectSecondAccount(ctx, { organizationId, userId, email });
    const ids = { memberId: inserted.id, userId };
    const changes = settingsSet({ role, isSso });
    await recordEvent(ctx, { kind: 'member_joined', organizationId, ids, changes });
    return { member: inserted, isNew: true };
  }
  const member = await ctx.db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .selectAll()
    .executeTakeFirstOrThrow();
  if (isAccepted && !member.isAccepted) await acceptMembership(ctx, { organizationId, userId });
  return { member, isNew: false };
}

/**
 * Notes that a person agrees to a membership that an admin has made. Without effect if the person has agreed before.
 */
export async function acceptMembership(
  { db }: Context,
  { organizationId, userId }: Pick<MemberRow, 'organizationId' | 'userId'>,
): Promise<void> {
  await db
    .updateTable('membership')
    .set({ isAccepted: true })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .where('isAccepted', '=', false)
    .execute();
}
