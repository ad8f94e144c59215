import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { webhookFor, webhookForChange } from './access.ts';
import { webhookKinds, webhookLabel, webhookUrl } from './settings.ts';

export const updateWebhook = command({
  name: 'updateWebhook',
  description:
    'Changes a webhook, pauses it or lets it go on. Members that are left out stay as they are. What happens while it is ' +
    'paused is not delivered later.',
  input: z.object({
    webhookId: idOf('webhook'),
    url: webhookUrl.optional(),
    label: webhookLabel.optional(),
    kinds: webhookKinds.optional(),
    isPaused: z.boolean().optional().describe('True pauses it; false lets it go on, and forgets its failures.'),
  }),
  versioned: 'webhookId',
  authorize: (ctx, { webhookId = '' }) => webhookFor(ctx, webhookId),
  async run(ctx, { webhookId, url, label, kinds, isPaused }) {
    const { organizationId, ...before } = await webhookForChange(ctx, webhookId);
    const wasPaused = before.pausedAt !== null;
    const isTurned = isPaused !== undefined && isPaused !== wasPaused;
    const webhook = await ctx.db
      .updateTable('webhook')
      .set({
        url,
        label,
        kinds,
        ...(isTurned && { pausedAt: isPaused ? nowOf(ctx) : null, pauseReason: null, failureStreak: 0 }),
        updatedAt: nowOf(ctx),
      })
      .where('id', '=', webhookId)
      .returningAll()
      .executeTakeFirstOrThrow();
    const isChanged = url !== undefined || label !== undefined || kinds !== undefined;
    if (isChanged) await recordEvent(ctx, { kind: 'webhook_updated', organizationId, ids: { webhookId } });
    if (isTurned && isPaused) await recordEvent(ctx, { kind: 'webhook_paused', organizationId, ids: { webhookId } });
    if (isTurned && !isPaused) await recordEvent(ctx, { kind: 'webhook_resumed', organizationId, ids: { webhookId } });
    return { webhook };
  },
});
