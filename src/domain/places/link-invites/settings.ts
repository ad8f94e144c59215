import type { Context } from '../../../platform/context/context.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { timeInput } from '../../../platform/shapes/time.ts';
import { role } from '../../people/access/index.ts';

export const MAX_LINK_INVITES = 1_000;

export const linkSettings = {
  role: role
    .nullish()
    .describe('For links to the organization: role that people who join get. If null or omitted, they become guests.'),
  level: role
    .nullish()
    .describe(
      'For links to a space or collection: role that people who join get on it. They become guests of the organization.',
    ),
  expiresAt: timeInput
    .nullish()
    .describe('Time in the future when the link expires. Null for links that do not expire.'),
};

/** The time of expiry as it is stored. BAD_USER_INPUT if it is not in the future. */
export function expiryOf(ctx: Context, expiresAt: string | null | undefined): string | null | undefined {
  if (expiresAt == null) return expiresAt;
  const now = nowOf(ctx);
  if (expiresAt <= now)
    throw badInput(['expiresAt'], `must be in the future. The current time is ${now}.`, 'TOO_SMALL');
  return expiresAt;
}
