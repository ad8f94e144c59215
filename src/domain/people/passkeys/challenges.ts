import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { hashSession } from '../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';

/** How long a person can take with the authenticator. */
const CHALLENGE_SECONDS = 300;

/** Makes a challenge for a browser. `userId` is the user who registers a passkey, or null for a sign-in. */
export async function makeChallenge(
  ctx: Context,
  { browserSecret, userId }: { browserSecret: string; userId: string | null },
): Promise<Buffer<ArrayBuffer>> {
  const challenge = Buffer.from(randomBytes(32));
  const expiresAt = new Date(Date.parse(nowOf(ctx)) + CHALLENGE_SECONDS * 1_000).toISOString();
  await ctx.db
    .insertInto('passkey_challenge')
    .values({
      challengeHash: hashSession(challenge.toString('base64url')),
      browserHash: hashSession(browserSecret),
      userId,
      expiresAt,
    })
    .execute();
  return challenge;
}

const clientData = z.object({ challenge: z.string().min(1).max(200) });

/**
 * The challenge that a browser has signed, if it was made for this browser and this purpose. It cannot be used again,
 * also if what was signed turns out to be wrong.
 */
export async function consumeChallenge(
  ctx: Context,
  { clientDataJSON, browserSecret, userId }: { clientDataJSON: string; browserSecret: string; userId: string | null },
): Promise<string | undefined> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === undefined) return undefined;
  const deleted = await ctx.db
    .deleteFrom('passkey_challenge')
    .where('challengeHash', '=', hashSession(challenge))
    .where('browserHash', '=', hashSession(browserSecret))
    .where('userId', userId === null ? 'is' : '=', userId)
    .where('expiresAt', '>', nowOf(ctx))
    .returning('challengeHash')
    .executeTakeFirst();
  return deleted && challenge;
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const text = Buffer.from(clientDataJSON, 'base64url').toString('utf8');
    return clientData.safeParse(JSON.parse(text)).data?.challenge;
  } catch {
    return undefined; // no JSON
  }
}
