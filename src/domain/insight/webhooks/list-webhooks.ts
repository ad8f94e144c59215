import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { administers } from '../../people/access/index.ts';
import type { WebhookRow } from './access.ts';

const webhooksOfOrganization = listing<object, WebhookRow>({
  name: 'organization.webhooks',
  select: sql`w.*`,
  from: (organizationId) => sql`from webhook w where w.organization_id = ${organizationId}`,
  order: () => [
    { by: sql`w.created_at`, key: 'createdAt', direction: 'asc', type: 'timestamptz' },
    { by: sql`w.id`, key: 'id', direction: 'asc', type: 'text' },
  ],
});

export const listWebhooks = query({
  name: 'listWebhooks',
  description: 'Lists the webhooks of an organization, oldest first. Only for admins of the organization.',
  input: z.object({ organizationId: idOf('org') }),
  async run(ctx, { organizationId }) {
    await administers(ctx, organizationId);
    return webhooksOfOrganization(ctx, organizationId, {});
  },
});
