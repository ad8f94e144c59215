import { DAY_MS } from '../../../lib/durations.ts';
import { hashToken, makeSessionSecret } from '../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { type StartedSession, startSession } from './start-session.ts';

const TEN_MINUTES_MS = 600_000;

/** How long links are valid that an operator passes on. */
export const OPERATOR_LINK_MS = DAY_MS;

/** The path of the page that a link leads to. Opening it changes nothing; its form uses the link. */
export const SIGN_IN_LINK_PATH = '/account/sign-in-link';

/**
 * Makes a link that signs a user in once, by default within ten minutes, and returns its path. The secret in it is not
 * stored.
 */
export async function makeSignInLink(
  db: Database,
  { userId, now, validMs = TEN_MINUTES_MS }: { userId: string; now: Date; validMs?: number },
): Promise<string> {
  const secret = makeSessionSecret();
  const expiresAt = new Date(now.getTime() + validMs).toISOString();
  await db
    .insertInto('sign_in_link')
    .values({ secretHash: hashToken(secret), userId, expiresAt })
    .execute();
  return `${SIGN_IN_LINK_PATH}?secret=${secret}`;
}

/** Uses a link and starts a session. NOT_FOUND if it was used before or has expired. */
export function startSessionWithLink(ctx: Context, secret: string): Promise<StartedSession> {
  return transact(ctx, async (inside) => {
    const link = await inside.db
      .deleteFrom('sign_in_link')
      .where('secretHash', '=', hashToken(secret))
      .where('expiresAt', '>', nowOf(ctx))
      .returning('userId')
      .executeTakeFirst();
    if (!link) throw new ApiError('NOT_FOUND', 'This link was already used, has expired or is incomplete.');
    return startSession(inside, { userId: link.userId });
  });
}
