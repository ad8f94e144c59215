import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { conversationFor } from './access.ts';

const needed = permissions.getConversation.organization;

/** The input by which operations identify a conversation. REST paths contain the organization as well. */
export const conversationName = {
  conversationId: idOf('conversation'),
  organizationId: idOf('org').nullish().describe('ID of the organization that the conversation must belong to.'),
};

export const getConversation = query({
  name: 'getConversation',
  description: 'Gets a conversation. Not for guests of its organization.',
  input: z.object(conversationName),
  run: (ctx, { conversationId, organizationId }) =>
    conversationFor(ctx, { id: conversationId, organizationId }, needed),
});
