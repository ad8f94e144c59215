import { randomBytes } from 'node:crypto';

/** A new secret, which signs the deliveries of a webhook. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;
