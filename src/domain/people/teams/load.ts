import { sql } from 'kysely';
import { userIdOf } from '../../../platform/access/actor.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { batchLoader, rowLoader } from '../../../platform/loader.ts';

export type TeamRow = Row<'team'>;

/** Teams by id, batched; those of organizations that the caller is no member of are left out. */
export const loadTeam = rowLoader<TeamRow>('team', async (ctx, ids) => {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return [];
  const { rows } = await sql<TeamRow>`
    select t.* from team t
    join membership m on m.organization_id = t.organization_id and m.user_id = ${userId} and not m.is_disabled
    where t.id = any(${ids}::text[])`.execute(ctx.db);
  return rows;
});

/** How many members teams have, in one statement. */
export const countTeamMembers = batchLoader<number>('team members', async (ctx, ids) => {
  const rows = await ctx.db
    .selectFrom('team_member')
    .where('team_id', '=', anyOf(ids))
    .groupBy('team_id')
    .select(['team_id', ({ fn }) => fn.countAll<number>().as('members')])
    .execute();
  return new Map(rows.map(({ team_id, members }) => [team_id, members]));
});

/** Whether the caller owns teams, in one statement. */
export const ownsTeam = batchLoader<boolean>('owned teams', async (ctx, ids) => {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return new Map();
  const rows = await ctx.db
    .selectFrom('team_member')
    .where('team_id', '=', anyOf(ids))
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .select('team_id')
    .execute();
  return new Map(rows.map(({ team_id }) => [team_id, true]));
});
