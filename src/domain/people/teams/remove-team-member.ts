import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { rejectHiddenOrganization, type TeamName, teamForChange, teamName, teamNameOf } from './access.ts';
import { deleteMembers } from './write-members.ts';

export const removeTeamMember = command({
  name: 'removeTeamMember',
  scope: 'admin',
  description: 'Removes a member from a team. Requires being an owner of the team or an admin of the organization.',
  input: z.object({ ...teamName, userId: idOf('user').describe('ID of the user (`user_…`) to remove from the team.') }),
  authorize: (ctx, ids) => visibleTeamForChange(ctx, teamNameOf(ids)),
  async run(ctx, { userId, ...name }) {
    const team = await visibleTeamForChange(ctx, name);
    if (!team || (await deleteMembers(ctx, team, [userId])) === 0) return { deletedId: null, teamId: team?.id ?? null };
    const { id: teamId, organizationId } = team;
    const changes = settingsSet({ removeUserIds: [userId] });
    await recordEvent(ctx, { kind: 'team_members_updated', organizationId, ids: { teamId, userId }, changes });
    return { deletedId: userId, teamId };
  },
});

/** The team, or null if it is absent or hidden. REST also names the organization: there, the team must be visible. */
async function visibleTeamForChange(ctx: Context, name: TeamName) {
  await rejectHiddenOrganization(ctx, name.organizationId);
  return name.organizationId ? teamForChange(ctx, name) : orNull(teamForChange(ctx, name));
}
