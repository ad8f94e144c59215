import { z } from 'zod';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { rejectNonMembers, teamForChange, teamName, teamNameOf } from './access.ts';
import { teamRole } from './enums.ts';
import type { TeamRow } from './load.ts';
import { upsertMembers } from './write-members.ts';

export const addTeamMember = command({
  name: 'addTeamMember',
  scope: 'admin',
  description:
    'Adds a member of the organization to a team, or changes the role of a member of the team. Requires being an owner of ' +
    'the team or an admin of the organization.',
  input: z.object({
    ...teamName,
    userId: idOf('user').describe('ID of a user (`user_…`) who is a member of the organization.'),
    role: teamRole
      .nullish()
      .describe('Role in the team. By default `MEMBER`, or the role that the member already has.'),
  }),
  authorize: (ctx, ids) => teamForChange(ctx, teamNameOf(ids)),
  async run(ctx, { userId, role, ...name }): Promise<TeamRow> {
    const team = await teamForChange(ctx, name);
    await rejectNonMembers(ctx, team.organizationId, [userId], () => ['userId']);
    await upsertMembers(ctx, team, [{ userId, role: role ?? undefined }]);
    const { id: teamId, organizationId } = team;
    const changes = settingsSet({ addUserIds: [userId], role });
    await recordEvent(ctx, { kind: 'team_members_updated', organizationId, ids: { teamId, userId }, changes });
    return team;
  },
});
