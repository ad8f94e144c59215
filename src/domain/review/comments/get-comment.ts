import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { commentFor, discussionName } from './access.ts';

const needed = permissions.getComment.space;

export const getComment = query({
  name: 'getComment',
  description: 'Gets a comment by its ID.',
  input: z.object({ ...discussionName, commentId: idOf('comment') }),
  authorize: (ctx, { commentId = '' }) => commentFor(ctx, { commentId }, needed),
  run: (ctx, name) => commentFor(ctx, name, needed),
});
