import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { replyFor, replyName } from './access.ts';

const needed = permissions.getCommentReply.space;

export const getCommentReply = query({
  name: 'getCommentReply',
  description: 'Gets a reply to a comment by its ID.',
  input: z.object(replyName),
  authorize: (ctx, { commentReplyId = '' }) => replyFor(ctx, { commentReplyId }, needed),
  run: (ctx, name) => replyFor(ctx, name, needed),
});
