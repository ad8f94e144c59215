import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { userFor } from './load.ts';

export const getUser = query({
  name: 'getUser',
  description: 'Gets a user. You can see yourself and users who share an organization with you.',
  input: z.object({ userId: idOf('user') }),
  run: (ctx, { userId }) => userFor(ctx, userId, 'view'),
});
