import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { webhookFor } from './access.ts';

export const getWebhook = query({
  name: 'getWebhook',
  scope: 'admin',
  description: 'Gets a webhook. Only for admins of its organization.',
  input: z.object({
    webhookId: idOf('webhook'),
  }),
  run: (ctx, { webhookId }) => webhookFor(ctx, webhookId),
});
