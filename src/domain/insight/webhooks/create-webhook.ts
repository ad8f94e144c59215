import { z } from 'zod';
import { userIdOf } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { rejectAtLimit } from '../../../platform/operation/count-limit.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { lockCredential, organizationFor, permissions } from '../../people/access/index.ts';
import type { WebhookRow } from './access.ts';
import { MAX_WEBHOOKS, PAUSED_AFTER, webhookKinds, webhookLabel, webhookUrl } from './settings.ts';
import { newWebhookSecret, webhookSecret } from './webhook-secret.ts';

const needed = permissions.createWebhook.organization;

export const createWebhook = command({
  name: 'createWebhook',
  scope: 'admin',
  description:
    "Creates a webhook that sends an organization's events to a URL. Deliveries are signed with a secret that is " +
    `returned only once. An organization can have up to ${MAX_WEBHOOKS} webhooks. A webhook is paused after ${PAUSED_AFTER} failed deliveries in a row.`,
  input: z.object({
    organizationId: idOf('org'),
    url: webhookUrl,
    label: webhookLabel.nullish(),
    kinds: webhookKinds.nullish(),
  }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, url, label, kinds }): Promise<{ webhook: WebhookRow; secret: string | null }> {
    await organizationFor(ctx, organizationId, needed, 'for no key update');
    await lockCredential(ctx);
    await rejectAtLimit(
      ctx,
      {
        name: `webhooks:${organizationId}`,
        max: MAX_WEBHOOKS,
        message: `This organization already has ${MAX_WEBHOOKS} webhooks. Delete one first.`,
      },
      ctx.db.selectFrom('webhook').where('organizationId', '=', organizationId),
    );
    const [id, now] = [newId('webhook'), nowOf(ctx)];
    const secret = newWebhookSecret();
    const webhook = await ctx.db
      .insertInto('webhook')
      .values({
        id,
        organizationId,
        url,
        label: label ?? '',
        kinds: kinds ?? [],
        secret: webhookSecret.encrypt(ctx.services, { id }, secret),
        createdBy: userIdOf(ctx.actor) ?? null,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const changes = settingsSet({ url, label, kinds });
    await recordEvent(ctx, { kind: 'webhook_created', organizationId, ids: { webhookId: id }, changes });
    return { webhook, secret };
  },
  shownOnce: ['secret'],
});
