import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { membersAmong } from '../../people/organizations/index.ts';
import { loadTeam } from '../../people/teams/index.ts';
import type { GrantTarget } from './target.ts';

/** Users and teams of an organization, as inputs name them. */
export interface Grantees {
  userIds: readonly string[];
  teamIds: readonly string[];
}

/**
 * Throws BAD_USER_INPUT unless all users are members of the target's organization, and the caller sees all teams there.
 */
export async function rejectUnknownGrantees(
  ctx: Context,
  target: GrantTarget,
  { userIds, teamIds }: Grantees,
): Promise<void> {
  const [members, teams] = [
    await membersAmong(ctx, target.organizationId, userIds),
    await teamsAmong(ctx, target, teamIds),
  ];
  rejectMissing('userIds', userIds, members, 'is not a member of the organization. Invite the user first.');
  rejectMissing('teamIds', teamIds, teams, 'is not a team of the organization.');
}

function rejectMissing(name: string, ids: readonly string[], existingIds: ReadonlySet<string>, problem: string): void {
  const index = ids.findIndex((id) => !existingIds.has(id));
  if (index >= 0) throw badInput([name, index], `"${ids[index]}" ${problem}`, 'NOT_FOUND');
}

/**
 * Those of the teams that the caller sees: teams of the organization that `loadTeam` returns, and teams with a role on
 * the target, whose grants the caller administers. Guests see no other teams.
 */
export async function teamsAmong(ctx: Context, target: GrantTarget, teamIds: readonly string[]): Promise<Set<string>> {
  if (teamIds.length === 0) return new Set();
  const loaded = await Promise.all(teamIds.map((id) => loadTeam(ctx, id)));
  const granted = await ctx.db
    .selectFrom('grant')
    .where('targetId', '=', target.id)
    .where('granteeId', '=', anyOf(teamIds))
    .select('granteeId')
    .execute();
  const seen = loaded.flatMap((team) => (team?.organizationId === target.organizationId ? [team.id] : []));
  return new Set([...seen, ...granted.map(({ granteeId }) => granteeId)]);
}
