import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { oldestFirst } from '../../../platform/paging/order.ts';
import { assertAdmin } from '../../people/access/index.ts';
import type { WebhookRow } from './access.ts';

const webhooksOfOrganization = listing<object, WebhookRow>({
  name: 'organization.webhooks',
  from: 'webhook as w',
  parent: 'organizationId',
  order: oldestFirst,
});

export const listWebhooks = query({
  name: 'listWebhooks',
  scope: 'admin',
  description: 'Lists the webhooks of an organization, oldest first. Only for admins of the organization.',
  input: z.object({ organizationId: idOf('org') }),
  async run(ctx, { organizationId }) {
    await assertAdmin(ctx, organizationId);
    return webhooksOfOrganization(ctx, organizationId, {});
  },
});
