import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { CONVERSATION_COLUMNS, type ConversationRow, readsConversations } from './access.ts';

const columns = sql.join(CONVERSATION_COLUMNS.map((column) => sql.ref(`c.${column}`)));

export const conversationsOfOrganization = listing<{ source: string | null }, ConversationRow>({
  name: 'organization.conversations',
  select: columns,
  from: (organizationId, { source }) => sql`
    from conversation c where c.organization_id = ${organizationId} ${source === null ? sql`` : sql`and c.source = ${source}`}`,
  order: () => [
    { by: sql`c.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`c.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

export const listConversations = query({
  name: 'listConversations',
  description: 'Lists the conversations of an organization, newest first. Not for guests.',
  input: z.object({
    organizationId: idOf('org'),
    source: z.string().max(300).nullish().describe('Only conversations from this source.'),
  }),
  authorize: (ctx, { organizationId = '' }) => readsConversations(ctx, organizationId),
  async run(ctx, { organizationId, source = null }) {
    await readsConversations(ctx, organizationId);
    return conversationsOfOrganization(ctx, organizationId, { source });
  },
});
