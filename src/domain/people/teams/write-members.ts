import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { TeamRole, TeamRow } from './load.ts';

/**
 * Adds members to a team, or changes the roles of those who belong to it. Without a role, those keep theirs. What an
 * identity provider gave becomes an administrator's.
 */
export async function upsertMembers(
  ctx: Context,
  { id: teamId, organizationId }: TeamRow,
  members: readonly { userId: string; role?: TeamRole | undefined }[],
): Promise<void> {
  const addedAt = nowOf(ctx);
  const rows = members.map(({ userId, role }) => ({
    teamId,
    organizationId,
    userId,
    addedAt,
    role: role ?? ('member' as const),
  }));
  const [set, kept] = [rows.filter((_, at) => members[at]?.role), rows.filter((_, at) => !members[at]?.role)];
  if (set.length > 0) {
    await ctx.db
      .insertInto('team_member')
      .values(set)
      .onConflict((conflict) =>
        conflict
          .columns(['teamId', 'userId'])
          .doUpdateSet((row) => ({ role: row.ref('excluded.role'), samlProviderId: null })),
      )
      .execute();
  }
  if (kept.length > 0) {
    await ctx.db
      .insertInto('team_member')
      .values(kept)
      .onConflict((conflict) => conflict.columns(['teamId', 'userId']).doUpdateSet({ samlProviderId: null }))
      .execute();
  }
}

/** Removes members from a team. Returns how many belonged to it. */
export async function deleteMembers({ db }: Context, { id }: TeamRow, userIds: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('team_member')
    .where('teamId', '=', id)
    .where('userId', '=', anyOf(userIds))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
