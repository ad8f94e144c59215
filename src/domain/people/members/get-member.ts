import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../access/index.ts';
import { memberFor } from './access.ts';

const needed = permissions.getMember.organization;

export const getMember = query({
  name: 'getMember',
  description: 'Gets a member of an organization. Guests can only get themselves.',
  input: z.object({ organizationId: idOf('org'), userId: idOf('user') }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  run: memberFor,
});
