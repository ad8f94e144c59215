import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { rejectHiddenOrganization, type TeamName, teamForChange, teamName, teamNameOf } from './access.ts';
import type { TeamRow } from './load.ts';

export const deleteTeam = command({
  name: 'deleteTeam',
  scope: 'admin',
  description: 'Deletes a team. Access that its members had through the team ends at once.',
  input: z.object(teamName),
  authorize: (ctx, ids) => deletable(ctx, teamNameOf(ids)),
  async run(ctx, name) {
    const team = await deletable(ctx, name);
    if (!team) return { deletedId: null, organizationId: null };
    await endTeam(ctx, team);
    return { deletedId: team.id, organizationId: team.organizationId };
  },
});

/** Deletes a team with its grants, in the transaction of a command that has locked the access of the organization. */
export async function endTeam(ctx: Context, { id, organizationId }: TeamRow): Promise<void> {
  await ctx.db.deleteFrom('grant').where('organizationId', '=', organizationId).where('granteeId', '=', id).execute();
  await ctx.db.deleteFrom('team_member').where('teamId', '=', id).execute();
  await ctx.db.deleteFrom('scim_group').where('teamId', '=', id).execute();
  await ctx.db.deleteFrom('team').where('id', '=', id).execute();
  await recordEvent(ctx, { kind: 'team_deleted', organizationId, ids: { teamId: id } });
}

/** The team, or null if there is none to be seen. REST also names the organization, which must be visible. */
async function deletable(ctx: Context, name: TeamName) {
  await rejectHiddenOrganization(ctx, name.organizationId);
  return orNull(teamForChange(ctx, name, { byAdmin: true }));
}
