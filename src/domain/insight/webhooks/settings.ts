import { z } from 'zod';
import { eventKind } from '../../../platform/events/kinds.ts';
import { lineText } from '../../../platform/shapes/text.ts';
import { hasNoCredentials, NO_CREDENTIALS, webAddress } from '../../../platform/shapes/web-address.ts';

/** Maximum number of webhooks of an organization. */
export const MAX_WEBHOOKS = 20;

/** Number of failed deliveries in a row after which a webhook is paused. */
export const PAUSED_AFTER = 10;

export const webhookUrl = webAddress()
  .refine(hasNoCredentials, NO_CREDENTIALS)
  .describe('URL that events are sent to with POST requests, up to 2,048 characters.');

export const webhookLabel = lineText(0, 100).describe('Label of the webhook, up to 100 characters.');

export const webhookKinds = z
  .array(eventKind)
  .max(eventKind.options.length)
  .transform((kinds) => [...new Set(kinds)])
  .describe('Kinds of events to send. If empty, all events are sent.');
