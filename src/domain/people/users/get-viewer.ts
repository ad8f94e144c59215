import { z } from 'zod';
import { userIdOf } from '../../../platform/access/actor.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { query } from '../../../platform/operation/operation.ts';
import { loadUser } from './load.ts';

export const getViewer = query({
  name: 'getViewer',
  description: 'Gets the authenticated user.',
  input: z.object({}),
  async run(ctx) {
    const userId = userIdOf(ctx.actor);
    const user = userId === undefined ? undefined : await loadUser(ctx, userId);
    if (!user) throw notFound('user', 'viewer');
    return user;
  },
});
