import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions, role } from '../../people/access/index.ts';
import { rejectUnknownGrantees } from './grantees.ts';
import { targetAgain, targetFor, targetName } from './target.ts';
import { writeGrants } from './write-grants.ts';

const needed = permissions.grantPermission.content;

/** Maximum number of users and of teams in one call. */
const MAX_GRANTEES = 100;

export const grantPermission = command({
  name: 'grantPermission',
  scope: 'admin',
  description:
    'Grants a role on a space, collection or site to users and teams of its organization. The role replaces the one that they were granted there before, and what they would inherit.',
  input: z.object({
    ...targetName,
    userIds: z
      .array(idOf('user'))
      .max(MAX_GRANTEES)
      .nullish()
      .describe('User IDs of up to 100 members of the organization. Guests are members.'),
    teamIds: z.array(idOf('team')).max(MAX_GRANTEES).nullish().describe('IDs of up to 100 teams of the organization.'),
    role: role.nullable().describe('Role to grant. Null removes the roles that were granted before.'),
  }),
  authorize: (ctx, ids) => targetFor(ctx, ids, needed),
  async run(ctx, { userIds, teamIds, role: granted, ...name }) {
    const target = await targetFor(ctx, name, needed, { changesAccess: true });
    const grantees = { userIds: userIds ?? [], teamIds: teamIds ?? [] };
    const ids = [...grantees.userIds, ...grantees.teamIds];
    if (ids.length === 0) throw badInput(['userIds'], 'Specify at least one user or team.', 'REQUIRED');
    await rejectUnknownGrantees(ctx, target, grantees);
    await writeGrants(ctx, target, ids, granted);
    return { target };
  },
  readAgain: async (ctx, { target }) => ({ target: await targetAgain(ctx, target, needed) }),
});
