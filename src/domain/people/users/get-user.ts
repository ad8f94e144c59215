import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { userFor } from './load.ts';

export const getUser = query({
  name: 'getUser',
  description: 'A user by id: yourself, or somebody you share an organization with.',
  input: z.object({ userId: idOf('user') }),
  run: (ctx, { userId }) => userFor(ctx, userId, 'view'),
});
