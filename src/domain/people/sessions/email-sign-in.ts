import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../../lib/durations.ts';
import { hashSession, makeSessionSecret } from '../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { parse } from '../../../platform/operation/operation.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { isSigned } from '../../../platform/secret-key/signature.ts';
import { emailAddress } from '../users/index.ts';
import { CODE_PURPOSE, sendSignInEmail } from './send-sign-in-email.ts';
import { type StartedSession, startSession } from './start-session.ts';

/** How long the code and the link of an email are valid. */
const EMAIL_SIGN_IN_SECONDS = 900;

/** Number of wrong codes, and of wrong links, after which an email can no longer sign in its user. */
const MAX_TRIES = 5;

/** Number of requests of a network within an hour, for any addresses. */
const MAX_REQUESTS = 60;

const input = z.object({ email: emailAddress });

/** Requests that were made after this time are stored and counted. */
export const countedSince = (now: string) => new Date(Date.parse(now) - DAY_MS).toISOString();

/**
 * Asks for a link and a code by email that sign this browser in. Returns the value of its cookie. Accounts are looked
 * up by a job, so that neither the result nor its time depends on whether one has the address. A later request replaces
 * this one. NOT_FOUND without a mail server, BAD_USER_INPUT for what is no address, RATE_LIMITED after many requests of
 * a network.
 */
export async function requestEmailSignIn(
  ctx: Context,
  {
    email: enteredEmail,
    returnTo,
    browserSecret = makeSessionSecret(),
  }: { email: string; returnTo: string; browserSecret?: string | undefined },
): Promise<string> {
  if (!ctx.services.mailer) throw noMailServer();
  const { email } = parse(input, { email: enteredEmail.trim() });
  await transact(ctx, async (inside) => {
    const network = ctx.address ?? '';
    await rejectFrequentRequests(inside, network);
    const id = randomBytes(16).toString('hex');
    const createdAt = nowOf(inside);
    await inside.db
      .insertInto('sign_in_request')
      .values({
        id,
        email: email.toLowerCase(),
        network,
        browserHash: hashSession(browserSecret),
        returnTo,
        createdAt,
        expiresAt: new Date(Date.parse(createdAt) + EMAIL_SIGN_IN_SECONDS * 1_000).toISOString(),
      })
      .execute();
    await enqueue(inside, sendSignInEmail, { signInRequestId: id });
  });
  return browserSecret;
}

const noMailServer = () =>
  new ApiError(
    'NOT_FOUND',
    'Email sign-in is off: no mail server is configured. Use another sign-in method, or ask an operator of the service for a link.',
  );

/** The lock makes concurrent requests of a network wait, so that each counts those before it. */
async function rejectFrequentRequests({ db, services }: Context, network: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in ${network}`}, 0))`.execute(db);
  const since = new Date(services.clock().getTime() - HOUR_MS).toISOString();
  const { count, first } = await db
    .selectFrom('sign_in_request')
    .where('network', '=', network)
    .where('createdAt', '>', since)
    .select((request) => [
      request.fn.countAll<number>().as('count'),
      request.fn.min<string | null>('createdAt').as('first'),
    ])
    .executeTakeFirstOrThrow();
  if (count < MAX_REQUESTS) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(first ?? since) - Date.parse(since)) / 1_000));
  throw new ApiError(
    'RATE_LIMITED',
    `${MAX_REQUESTS} sign-ins by email were asked for from your network within an hour. Try again in ${retryAfterSeconds} seconds.`,
    [],
    { retryAfterSeconds },
  );
}

/** What a person has from the email. */
export type EmailProof = { code: string } | { linkSecret: string };

/**
 * Uses the code or the link of the email that this browser has asked for last, once, and starts a session. NOT_FOUND
 * otherwise, with one message for every reason. Wrong ones are counted.
 */
export async function startSessionByEmail(
  ctx: Context,
  browserSecret: string | undefined,
  proof: EmailProof,
): Promise<StartedSession & { returnTo: string }> {
  const started = await transact(ctx, async (inside) => {
    const request = await latestRequest(inside, browserSecret, 'locked');
    if (!request || !(await proves(inside, request, proof))) return undefined;
    const { id, userId, returnTo } = request;
    const owner = await ownerOf(inside, request);
    if (userId === null || owner !== userId) return undefined;
    await inside.db
      .updateTable('sign_in_request')
      .set({ usedAt: nowOf(inside), codeSignature: null, linkHash: null })
      .where('id', '=', id)
      .execute();
    return { ...(await startSession(inside, { userId })), returnTo };
  });
  if (!started) throw unusable();
  return started;
}

const unusable = () =>
  new ApiError(
    'NOT_FOUND',
    'This code or link is wrong, was already used or replaced, has expired, or was asked for in another browser. Ask for a new email.',
  );

type RequestRow = Row<'sign_in_request'>;

/** The request of a browser that can still be used. */
function latestRequest(
  { db, services }: Context,
  browserSecret: string | undefined,
  lock?: 'locked',
): Promise<RequestRow | undefined> {
  return db
    .selectFrom('sign_in_request')
    .where('browserHash', '=', hashSession(browserSecret ?? ''))
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(1)
    .selectAll()
    .$if(lock !== undefined, (requests) => requests.forUpdate())
    .executeTakeFirst()
    .then((request) =>
      request && request.usedAt === null && request.expiresAt > services.clock().toISOString() ? request : undefined,
    );
}

/** Whether the code or the secret is right. If not, it is counted. */
async function proves(ctx: Context, request: RequestRow, proof: EmailProof): Promise<boolean> {
  const { id, codeSignature, codeTries, linkHash, linkTries } = request;
  if ('code' in proof) {
    if (codeTries >= MAX_TRIES) return false;
    const code = proof.code.replaceAll(/\s/g, '');
    // Anything but six digits is a typing error and not a guess, so it is not counted.
    if (!/^[0-9]{6}$/.test(code)) return false;
    if (codeSignature !== null && isSigned(codeSignature, ctx.services.secretKeys, CODE_PURPOSE, id, code)) return true;
    await ctx.db
      .updateTable('sign_in_request')
      .set({ codeTries: codeTries + 1 })
      .where('id', '=', id)
      .execute();
    return false;
  }
  if (linkTries >= MAX_TRIES) return false;
  if (linkHash !== null && hashSession(proof.linkSecret).equals(Buffer.from(linkHash))) return true;
  await ctx.db
    .updateTable('sign_in_request')
    .set({ linkTries: linkTries + 1 })
    .where('id', '=', id)
    .execute();
  return false;
}

/** The account that has verified the address, which can have changed since the email was sent. */
async function ownerOf({ db }: Context, { email }: RequestRow): Promise<string | undefined> {
  const user = await db.selectFrom('user').where(sql<string>`lower(email)`, '=', email).select('id').executeTakeFirst();
  return user?.id;
}

/** The address that this browser has asked a sign-in for, which can still be used. */
export async function requestedAddress(ctx: Context, browserSecret: string | undefined): Promise<string | undefined> {
  return (await latestRequest(ctx, browserSecret))?.email;
}

/** Whether this browser has asked for the email with this link, which can still be used. */
export async function isOwnLink(ctx: Context, browserSecret: string | undefined, secret: string): Promise<boolean> {
  const request = await latestRequest(ctx, browserSecret);
  return request?.linkHash != null && hashSession(secret).equals(Buffer.from(request.linkHash));
}
