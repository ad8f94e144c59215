import { z } from 'zod';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { removeConversations } from './remove-conversations.ts';

const needed = permissions.purgeConversations.organization;

export const purgeConversations = command({
  name: 'purgeConversations',
  scope: 'admin',
  description: 'Deletes all conversations from a source with their issues. Also succeeds if there are none.',
  input: z.object({
    organizationId: idOf('org'),
    source: z.string().min(1).max(300).describe('Source of the conversations, such as `integration:api:user_…`.'),
  }),
  takesLong: true,
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, source }) {
    await organizationFor(ctx, organizationId, needed);
    const deletedCount = await removeConversations(ctx, organizationId, { source });
    if (deletedCount > 0) await recordEvent(ctx, { kind: 'conversations_purged', organizationId });
    return { deletedCount, organizationId };
  },
});
