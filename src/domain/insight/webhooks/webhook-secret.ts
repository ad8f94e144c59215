import { createHmac, randomBytes } from 'node:crypto';
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

/** A new secret, which signs the deliveries of a webhook. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

/**
 * Value of the signature header: `t=<seconds>,v1=<hex>`, the HMAC-SHA256 of `<seconds>.<body>`. The time lets receivers
 * reject replayed requests.
 */
export function signatureHeader(secret: string, body: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
