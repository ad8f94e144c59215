import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { assertReadsConversations, CONVERSATION_COLUMNS, type ConversationRow } from './access.ts';

const columns = sql.join(CONVERSATION_COLUMNS.map((column) => sql.ref(`c.${column}`)));

const conversationsOfOrganization = listing<{ source: string | null }, ConversationRow>({
  name: 'organization.conversations',
  from: 'conversation as c',
  select: columns,
  parent: 'organizationId',
  where: ({ source }) => [source !== null && sql`c.source = ${source}`],
  order: newestFirst,
});

export const listConversations = query({
  name: 'listConversations',
  description: 'Lists the conversations of an organization, newest first. Not for guests.',
  input: z.object({
    organizationId: idOf('org'),
    source: z.string().max(300).nullish().describe('Only conversations from this source.'),
  }),
  authorize: (ctx, { organizationId = '' }) => assertReadsConversations(ctx, organizationId),
  async run(ctx, { organizationId, source = null }) {
    await assertReadsConversations(ctx, organizationId);
    return conversationsOfOrganization(ctx, organizationId, { source });
  },
});
