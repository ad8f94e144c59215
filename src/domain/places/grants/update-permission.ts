import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions, role } from '../../people/access/index.ts';
import { membersAmong } from '../../people/organizations/index.ts';
import { type GranteeName, granteeName, granteeOf } from './grantee-name.ts';
import { teamsAmong } from './grantees.ts';
import { type GrantTarget, targetFor, targetName } from './target.ts';
import { writeGrants } from './write-grants.ts';

const needed = permissions.updatePermission.content;

/** For REST, whose paths name the user or team: here an unknown one is NOT_FOUND. */
export const updatePermission = command({
  name: 'updatePermission',
  scope: 'admin',
  description:
    'Sets the role that a member or a team of the organization is granted on a space, collection or site. NOT_FOUND if the user is not a member of the organization, or if you cannot see the team.',
  input: z.object({
    ...targetName,
    ...granteeName,
    role: role.nullish().describe('Granted role. Null removes the granted role. If omitted, it is not changed.'),
  }),
  authorize: (ctx, ids) => targetFor(ctx, ids, needed),
  async run(ctx, { userId, teamId, role: granted, ...name }) {
    const target = await targetFor(ctx, name, needed, { changesAccess: true });
    const granteeId = granteeOf({ userId, teamId });
    await rejectAbsent(ctx, target, { userId, teamId });
    if (granted !== undefined) await writeGrants(ctx, target, [granteeId], granted);
    return { target };
  },
});

async function rejectAbsent(ctx: Context, target: GrantTarget, { userId, teamId }: GranteeName): Promise<void> {
  if (userId && !(await membersAmong(ctx, target.organizationId, [userId])).has(userId)) throw notFound('user', userId);
  if (teamId && !(await teamsAmong(ctx, target, [teamId])).has(teamId)) throw notFound('team', teamId);
}
