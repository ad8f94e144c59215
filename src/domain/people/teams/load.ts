import { userIdOf } from '../../../platform/access/actor.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { batchLoader, rowLoader, sharedLoader } from '../../../platform/reads/loader.ts';
import { isActing, roleFor, teamCountsFor } from '../access/index.ts';

export type TeamRow = Row<'team'>;
export type TeamRole = Row<'team_member'>['role'];

/** Teams by id, batched. Only teams of organizations in which the caller has a role, as in lists: guests see their own teams. */
export const loadTeam = rowLoader<TeamRow>('team', async (ctx, ids) => {
  if (userIdOf(ctx.actor) === undefined) return [];
  return ctx.db
    .selectFrom('team as t')
    .innerJoin('membership as m', (on) =>
      on.onRef('m.organizationId', '=', 't.organizationId').on(isActing(ctx.actor, 'm')),
    )
    .where('t.id', '=', anyOf(ids))
    .where((its) =>
      its.or([
        its(roleFor(ctx.actor, 'm'), 'is not', null),
        its.exists(
          its
            .selectFrom('team_member as tm')
            .whereRef('tm.teamId', '=', 't.id')
            .whereRef('tm.userId', '=', 'm.userId')
            .where(teamCountsFor(ctx.actor, 'tm')),
        ),
      ]),
    )
    .selectAll('t')
    .execute();
});

/** The same for callers who administer what a role was granted on to the team, who can be guests. */
export const loadGrantedTeam = rowLoader<TeamRow>('granted-team', async (ctx, ids) =>
  ctx.db
    .selectFrom('team as t')
    .innerJoin('membership as m', (on) =>
      on.onRef('m.organizationId', '=', 't.organizationId').on(isActing(ctx.actor, 'm')),
    )
    .where('t.id', '=', anyOf(ids))
    .selectAll('t')
    .execute(),
);

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

/** Whether the caller owns the team, batched. */
export const ownsTeam = batchLoader<boolean>('owned teams', async (ctx, ids) => {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return new Map();
  const rows = await ctx.db
    .selectFrom('team_member')
    .where('teamId', '=', anyOf(ids))
    .where('userId', '=', userId)
    .where('role', '=', 'owner')
    .where(teamCountsFor(ctx.actor, 'team_member'))
    .select('teamId')
    .execute();
  return new Map(rows.map(({ teamId }) => [teamId, true]));
});

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
