import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { rejectNonMembers, teamForChange, teamName, teamNameOf } from './access.ts';
import { MAX_MEMBERS_AT_ONCE } from './create-team.ts';
import { teamRole } from './enums.ts';
import type { TeamRow } from './load.ts';
import { deleteMembers, upsertMembers } from './write-members.ts';

const users = z.array(idOf('user')).max(MAX_MEMBERS_AT_ONCE);

const membership = z
  .object({
    userId: idOf('user').describe('ID of a user (`user_…`) who is a member of the organization.'),
    role: teamRole.describe('Role in the team.'),
  })
  .meta({ inputName: 'TeamMembershipInput', description: 'A member of a team with a role.' });

export const setTeamMembers = command({
  name: 'setTeamMembers',
  scope: 'admin',
  description:
    'Adds and removes several members of a team, and changes their roles, all at once or not at all. Requires being an ' +
    'owner of the team or an admin of the organization.',
  input: z.object({
    ...teamName,
    addUserIds: users
      .nullish()
      .describe('IDs of up to 1,000 users to add as members. Those who belong to the team keep their role.'),
    memberships: z
      .array(membership)
      .max(MAX_MEMBERS_AT_ONCE)
      .nullish()
      .describe('Up to 1,000 members to add with a role, or whose role changes.'),
    removeUserIds: users.nullish().describe('IDs of up to 1,000 users to remove from the team.'),
  }),
  authorize: (ctx, ids) => teamForChange(ctx, teamNameOf(ids)),
  async run(ctx, { addUserIds, memberships, removeUserIds, ...name }): Promise<TeamRow> {
    const team = await teamForChange(ctx, name);
    const [added, withRole, removed] = [addUserIds ?? [], memberships ?? [], removeUserIds ?? []];
    rejectTwice(added, withRole, removed);
    const { organizationId } = team;
    await rejectNonMembers(ctx, organizationId, added, (index) => ['addUserIds', index]);
    const named = withRole.map(({ userId }) => userId);
    await rejectNonMembers(ctx, organizationId, named, (index) => ['memberships', index, 'userId']);
    await deleteMembers(ctx, team, removed);
    await upsertMembers(ctx, team, [...added.map((userId) => ({ userId })), ...withRole]);
    const changes = settingsSet({ addUserIds, memberships, removeUserIds });
    await recordEvent(ctx, { kind: 'team_members_updated', organizationId, ids: { teamId: team.id }, changes });
    return team;
  },
});

/** BAD_USER_INPUT if a user is named more than once: the result would depend on the order. */
function rejectTwice(added: string[], withRole: { userId: string }[], removed: string[]): void {
  const places = [
    ...added.map((userId, index) => ({ userId, path: ['addUserIds', index] })),
    ...withRole.map(({ userId }, index) => ({ userId, path: ['memberships', index, 'userId'] })),
    ...removed.map((userId, index) => ({ userId, path: ['removeUserIds', index] })),
  ];
  const seen = new Set<string>();
  for (const { userId, path } of places) {
    if (seen.has(userId)) throw badInput(path, `"${userId}" is named more than once.`, 'DUPLICATE');
    seen.add(userId);
  }
}
