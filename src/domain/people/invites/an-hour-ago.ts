import { HOUR_MS } from '../../../lib/durations.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';

/** The start of the hour within which an organization does not mail an invited address again. */
export const anHourAgo = (ctx: Context): string => new Date(Date.parse(nowOf(ctx)) - HOUR_MS).toISOString();
