import { z } from 'zod';
import { eventKind } from '../../../platform/events/kinds.ts';
import { lineOf } from '../../../platform/text.ts';
import { webAddress } from '../../../platform/web-address.ts';

/** An organization has at most so many. */
export const MAX_WEBHOOKS = 20;

/** A webhook is paused after so many failed deliveries in a row. */
export const PAUSED_AFTER = 10;

export const webhookUrl = webAddress()
  .refine((value) => !URL.canParse(value) || new URL(value).username === '', 'must not hold a user name or password')
  .refine((value) => !URL.canParse(value) || new URL(value).password === '', 'must not hold a user name or password')
  .describe('Address that events are sent to by POST, up to 2,048 characters.');

export const webhookLabel = lineOf(0, 100).describe('What it is for, up to 100 characters.');

export const webhookKinds = z
  .array(eventKind)
  .max(eventKind.options.length)
  .transform((kinds) => [...new Set(kinds)])
  .describe('Kinds of events that it gets; none means all.');
