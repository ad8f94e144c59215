import { z } from 'zod';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { webhookFor, webhookForChange } from './access.ts';

export const deleteWebhook = command({
  name: 'deleteWebhook',
  scope: 'admin',
  description: 'Deletes a webhook and its deliveries.',
  takesLong: true,
  input: z.object({
    webhookId: idOf('webhook'),
  }),
  versioned: 'webhookId',
  authorize: (ctx, { webhookId = '' }) => orNull(webhookFor(ctx, webhookId)),
  async run(ctx, input) {
    const webhook = await orNull(webhookForChange(ctx, input.webhookId));
    if (!webhook) return { deletedId: null, organizationId: null };
    const { id, organizationId } = webhook;
    await ctx.db.deleteFrom('webhook_delivery').where('webhookId', '=', id).execute();
    await ctx.db.deleteFrom('webhook').where('id', '=', id).execute();
    await recordEvent(ctx, { kind: 'webhook_deleted', organizationId, ids: { webhookId: id } });
    return { deletedId: id, organizationId };
  },
});
