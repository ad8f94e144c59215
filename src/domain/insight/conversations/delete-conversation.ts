import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { conversationFor, type Named } from './access.ts';
import { conversationName } from './get-conversation.ts';
import { removeConversations } from './remove-conversations.ts';

const needed = permissions.deleteConversation.organization;

export const deleteConversation = command({
  name: 'deleteConversation',
  scope: 'admin',
  description: 'Deletes a conversation with its parts and its issue.',
  input: z.object(conversationName),
  authorize: (ctx, { conversationId = '', organizationId }) =>
    deletable(ctx, { id: conversationId, organizationId: organizationId || null }),
  async run(ctx, { conversationId, organizationId: within }) {
    const conversation = await deletable(ctx, { id: conversationId, organizationId: within });
    if (!conversation) return { deletedId: null, organizationId: null };
    const { id, organizationId } = conversation;
    const removed = await removeConversations(ctx, organizationId, { id });
    if (removed === 0) return { deletedId: null, organizationId: null }; // another call has deleted it meanwhile
    await recordEvent(ctx, { kind: 'conversation_deleted', organizationId, ids: { conversationId: id } });
    return { deletedId: id, organizationId };
  },
});

/** The conversation, or null if there is none that the caller can see. */
async function deletable(ctx: Context, { id, organizationId }: Named) {
  if (organizationId != null) await organizationFor(ctx, organizationId, needed);
  return orNull(conversationFor(ctx, { id, organizationId }, needed));
}
