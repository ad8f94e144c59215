import { userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { batchLoader, sharedLoader } from '../../../platform/reads/loader.ts';
import { accessInOrganization, teamCountsFor } from '../access/index.ts';
import { Team } from './entity.ts';

export type TeamRow = Row<'team'>;
export type TeamRole = Row<'team_member'>['role'];

/**
 * Teams by id, batched. Only teams of organizations in which the caller has a role, as in lists: guests see their own
 * teams.
 */
export const loadTeam = entityLoader<TeamRow>(Team, {
  isShown: async (ctx, { id, organizationId }) => {
    const access = await accessInOrganization(ctx, organizationId);
    if (!access) return false;
    return access.role !== null || (await ownRoleIn(ctx, id)) !== undefined;
  },
});

/** The same for callers who administer what a role was granted on to the team, who can be guests. */
export const loadGrantedTeam = entityLoader<TeamRow>(Team, {
  name: 'granted team',
  isShown: async (ctx, { organizationId }) => (await accessInOrganization(ctx, organizationId)) !== undefined,
});

/** Number of members by the id of the team, batched. */
export const countTeamMembers = sharedLoader<number>('team members', async (db, ids) => {
  const rows = await db
    .selectFrom('team_member')
    .where('teamId', '=', anyOf(ids))
    .groupBy('teamId')
    .select(['teamId', ({ fn }) => fn.countAll<number>().as('members')])
    .execute();
  return new Map(rows.map(({ teamId, members }) => [teamId, members]));
});

/** The role of the caller in teams that count for the caller, batched. */
const ownRoleIn = batchLoader<TeamRole>('own team roles', async (ctx, ids) => {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return new Map();
  const rows = await ctx.db
    .selectFrom('team_member')
    .where('teamId', '=', anyOf(ids))
    .where('userId', '=', userId)
    .where(teamCountsFor(ctx.actor, 'team_member'))
    .select(['teamId', 'role'])
    .execute();
  return new Map(rows.map(({ teamId, role }) => [teamId, role]));
});

/** Whether the caller owns the team, batched. */
export const ownsTeam = async (ctx: Context, id: string) => (await ownRoleIn(ctx, id)) === 'owner';

/** Number of spaces that are not deleted and on which the team has a granted role, by the id of the team. Batched. */
export const countTeamSpaces = sharedLoader<number>('team spaces', async (db, ids) => {
  const rows = await db
    .selectFrom('grant as g')
    .innerJoin('space as s', 's.id', 'g.targetId')
    .where('g.granteeId', '=', anyOf(ids))
    .where('s.deletedAt', 'is', null)
    .groupBy('g.granteeId')
    .select(['g.granteeId', ({ fn }) => fn.countAll<number>().as('spaces')])
    .execute();
  return new Map(rows.map(({ granteeId, spaces }) => [granteeId, spaces]));
});
