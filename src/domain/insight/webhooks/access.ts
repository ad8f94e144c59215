import { hasScope } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { accessInOrganization, notVisibleError, organizationFor, permissions } from '../../people/access/index.ts';
import { Webhook } from './entity.ts';

export type WebhookRow = Row<'webhook'>;

/**
 * The webhook, if the caller is an admin of its organization. NOT_FOUND for all others, since only admins see webhooks.
 */
export async function webhookFor(ctx: Context, webhookId: string): Promise<WebhookRow> {
  const webhook = await loadWebhook(ctx, webhookId);
  if (!webhook) throw notVisibleError(ctx, 'webhook', webhookId);
  return webhook;
}

/** The same as a locked entity, for commands. FORBIDDEN in a blocked organization. */
export async function webhookForChange(ctx: Context, webhookId: string): Promise<WebhookRow> {
  const { id, organizationId } = await webhookFor(ctx, webhookId);
  await organizationFor(ctx, organizationId, permissions.updateWebhook.organization);
  const webhook = await lockEntity(ctx, Webhook, { id });
  if (!webhook) throw notVisibleError(ctx, 'webhook', id);
  return recordVersion(ctx, webhook, { lock: 'for no key update' });
}

/** Webhooks by id, batched. Only webhooks of organizations that the caller is an admin of. */
export const loadWebhook = entityLoader<WebhookRow>(Webhook, {
  // URLs of webhooks are often secrets themselves.
  isShown: async (ctx, { organizationId }) =>
    hasScope(ctx.actor, 'admin') && (await accessInOrganization(ctx, organizationId))?.role === 'admin',
});
