import { storedSecret } from '../../../platform/secret-key/stored-secret.ts';

/** Secrets that sign deliveries of webhooks. */
export const webhookSecret = storedSecret({
  table: 'webhook',
  column: 'secret',
  key: { id: 'id' },
  place: ({ id }) => id,
  plural: 'secrets of webhooks',
  name: 'secret of the webhook',
  remedy: 'Send its URL again with updateWebhook, and give its receiver the new secret.',
});
