import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { TeamRole, TeamRow } from './load.ts';

/**
 * Adds members to a team, or changes the roles of those who belong to it. Without a role, those keep theirs. What an
 * identity provider gave becomes an administrator's.
 */
export async function upsertMembers(
  ctx: Context,
  team: TeamRow,
  members: readonly { userId: string; role?: TeamRole | undefined }[],
): Promise<void> {
  if (members.length === 0) return;
  const { id: teamId, organizationId } = team;
  const addedAt = nowOf(ctx);
  const rows = members.map(({ userId, role }) => ({
    teamId,
    organizationId,
    userId,
    addedAt,
    role: role ?? ('member' as const),
  }));
  const [withRole, withoutRole] = [
    rows.filter((_, at) => members[at]?.role),
    rows.filter((_, at) => !members[at]?.role),
  ];
  if (withRole.length > 0) {
    await ctx.db
      .insertInto('team_member')
      .values(withRole)
      .onConflict((conflict) =>
        conflict
          .columns(['teamId', 'userId'])
          .doUpdateSet((row) => ({ role: row.ref('excluded.role'), samlProviderId: null })),
      )
      .execute();
  }
  if (withoutRole.length > 0) {
    await ctx.db
      .insertInto('team_member')
      .values(withoutRole)
      .onConflict((conflict) => conflict.columns(['teamId', 'userId']).doUpdateSet({ samlProviderId: null }))
      .execute();
  }
  await noteGroupChange(ctx, team);
}

/** Removes members from a team. Returns how many belonged to it. */
export async function deleteMembers(ctx: Context, team: TeamRow, userIds: readonly string[]): Promise<number> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('team_member')
    .where('teamId', '=', team.id)
    .where('userId', '=', anyOf(userIds))
    .executeTakeFirst();
  if (numDeletedRows > 0n) await noteGroupChange(ctx, team);
  return Number(numDeletedRows);
}

/** Notes the time of a change of a team for SCIM, if SCIM manages it. */
export const noteGroupChange = (ctx: Context, { id }: TeamRow): Promise<void> => noteGroupChanges(ctx, [id]);

/** The same for several teams. */
export async function noteGroupChanges(ctx: Context, teamIds: readonly string[]): Promise<void> {
  if (teamIds.length === 0) return;
  await ctx.db
    .updateTable('scim_group')
    .set({ updatedAt: nowOf(ctx) })
    .where('teamId', '=', anyOf(teamIds))
    .execute();
}
