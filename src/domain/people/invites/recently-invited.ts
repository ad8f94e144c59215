import { type Context, nowOf } from '../../../platform/context/context.ts';

const HOUR_MS = 3_600_000;

/** The start of the hour within which nobody is mailed by the same organization again. */
export const anHourAgo = (ctx: Context): string => new Date(Date.parse(nowOf(ctx)) - HOUR_MS).toISOString();
