import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import type { WebhookRow } from './access.ts';
import { webhookFor, webhookForChange } from './access.ts';
import { webhookKinds, webhookLabel, webhookUrl } from './settings.ts';
import { newWebhookSecret, webhookSecret } from './webhook-secret.ts';

export const updateWebhook = command({
  name: 'updateWebhook',
  scope: 'admin',
  description:
    'Updates, pauses or resumes a webhook. Omitted fields keep their values. Events that are recorded while the webhook ' +
    'is paused are not delivered later. If the URL changes to another scheme, host or port, the webhook gets a new secret, which is returned only once, so that the new receiver cannot forge deliveries to the former one. If the former secret cannot be read, the webhook gets a new secret with any URL.',
  input: z.object({
    webhookId: idOf('webhook'),
    url: webhookUrl.optional(),
    label: webhookLabel.optional(),
    kinds: webhookKinds.optional(),
    isPaused: z
      .boolean()
      .optional()
      .describe('Set to true to pause the webhook, or to false to resume it and reset `failureStreak`.'),
  }),
  versioned: 'webhookId',
  authorize: (ctx, { webhookId = '' }) => webhookFor(ctx, webhookId),
  async run(ctx, { webhookId, url, label, kinds, isPaused }): Promise<{ webhook: WebhookRow; secret: string | null }> {
    const webhook = await webhookForChange(ctx, webhookId);
    const { organizationId } = webhook;
    const isTurned = isPaused !== undefined && isPaused !== (webhook.pausedAt !== null);
    const isElsewhere = url !== undefined && new URL(url).origin !== new URL(webhook.url).origin;
    const isLost = url !== undefined && webhookSecret.isUnreadable(ctx.services, webhook, webhook.secret);
    const newSecret = isElsewhere || isLost ? newWebhookSecret() : null;
    const secret = newSecret === null ? undefined : webhookSecret.encrypt(ctx.services, webhook, newSecret);
    const changed = watchSettings(webhook, ['url', 'label', 'kinds']);
    ctx.em.assign(webhook, { url, secret, label, kinds, updatedAt: nowOf(ctx) });
    if (isTurned)
      ctx.em.assign(webhook, { pausedAt: isPaused ? nowOf(ctx) : null, pauseReason: null, failureStreak: 0 });
    await ctx.em.flush();
    const isChanged = url !== undefined || label !== undefined || kinds !== undefined;
    if (isChanged)
      await recordEvent(ctx, { kind: 'webhook_updated', organizationId, ids: { webhookId }, changes: changed() });
    if (isTurned && isPaused) await recordEvent(ctx, { kind: 'webhook_paused', organizationId, ids: { webhookId } });
    if (isTurned && !isPaused) await recordEvent(ctx, { kind: 'webhook_resumed', organizationId, ids: { webhookId } });
    return { webhook, secret: newSecret };
  },
  shownOnce: ['secret'],
});
