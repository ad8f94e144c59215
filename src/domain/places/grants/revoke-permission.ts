import { z } from 'zod';
import { prefixOf } from '../../../platform/ids/ids.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { granteeName, granteeOf } from './grantee-name.ts';
import { targetAgain, targetFor, targetName } from './target.ts';
import { writeGrants } from './write-grants.ts';

const needed = permissions.revokePermission.content;

export const revokePermission = command({
  name: 'revokePermission',
  scope: 'admin',
  description:
    'Removes the role that a user or a team was granted on a space, collection or site. Roles that are inherited or defined elsewhere remain. Has no effect if there is no such role.',
  input: z.object({ ...targetName, ...granteeName }),
  authorize: (ctx, ids) => targetFor(ctx, ids, needed),
  async run(ctx, { userId, teamId, ...name }) {
    const target = await targetFor(ctx, name, needed, { changesAccess: true });
    const granteeId = granteeOf({ userId, teamId });
    const isOfKind = prefixOf(granteeId) === (userId == null ? 'team' : 'user');
    const [deletedId = null] = isOfKind ? await writeGrants(ctx, target, [granteeId], null) : [];
    return { target, deletedId };
  },
  readAgain: async (ctx, { target, deletedId }) => ({ target: await targetAgain(ctx, target, needed), deletedId }),
});
