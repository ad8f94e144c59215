import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { recordEvents } from '../../../platform/events/record-event.ts';
import { settingsBetween } from '../../../platform/events/settings-changes.ts';
import { noteGroupChanges } from '../teams/index.ts';
import type { ProviderRow } from './access.ts';

type Provider = Pick<ProviderRow, 'id' | 'organizationId'>;

/**
 * Makes a member belong to these teams by the groups that a provider has named, and to no others. Memberships that an
 * administrator, another provider or the default team gave stay as they are. Teams that no longer exist, or belong to
 * another organization, are left out. The caller has locked the access of the organization.
 */
export async function setClaimedTeams(
  ctx: Context,
  provider: Provider,
  userId: string,
  teamIds: readonly string[],
): Promise<void> {
  const leftIds = await leaveOthers(ctx, provider, userId, teamIds);
  const joined = await joinThese(ctx, provider, userId, teamIds);
  await noteGroupChanges(ctx, [...leftIds, ...joined]);
  const { organizationId } = provider;
  const changed = (teamId: string, changes: ReturnType<typeof settingsBetween>) =>
    ({ kind: 'team_members_updated', organizationId, ids: { teamId, userId }, changes }) as const;
  await recordEvents(ctx, [
    ...leftIds.map((teamId) => changed(teamId, settingsBetween({ role: 'member' }, { role: null }))),
    ...joined.map((teamId) => changed(teamId, settingsBetween({}, { role: 'member' }))),
  ]);
}

async function leaveOthers(
  { db }: Context,
  { id, organizationId }: Provider,
  userId: string,
  teamIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .deleteFrom('team_member')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .where('samlProviderId', '=', id)
    .where('isClaimed', '=', true)
    .where((row) => row.not(row('teamId', '=', anyOf(teamIds))))
    .returning('teamId')
    .execute();
  return rows.map(({ teamId }) => teamId);
}

async function joinThese(
  ctx: Context,
  { id: providerId, organizationId }: Provider,
  userId: string,
  teamIds: readonly string[],
): Promise<string[]> {
  const teams = await ctx.db
    .selectFrom('team')
    .where('id', '=', anyOf(teamIds))
    .where('organizationId', '=', organizationId)
    .select('id')
    .execute();
  if (teams.length === 0) return [];
  const addedAt = nowOf(ctx);
  const joined = await ctx.db
    .insertInto('team_member')
    .values(
      teams.map(({ id: teamId }) => ({
        teamId,
        userId,
        organizationId,
        samlProviderId: providerId,
        addedAt,
        isClaimed: true,
      })),
    )
    .onConflict((conflict) => conflict.columns(['teamId', 'userId']).doNothing())
    .returning('teamId')
    .execute();
  return joined.map(({ teamId }) => teamId);
}
