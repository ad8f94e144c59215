import { z } from 'zod';
import { idOf, query } from '../../platform/operation.ts';
import { webhookFor } from './access.ts';

export const getWebhook = query({
  name: 'getWebhook',
  description: 'A webhook by id. For admins of its organization.',
  input: z.object({
    webhookId: idOf('webhook'),
    organizationId: idOf('org').nullish().describe('The organization that it must belong to.'),
  }),
  run: (ctx, input) => webhookFor(ctx, input),
});
