import { randomBytes, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { HOUR_MS } from '../../../lib/durations.ts';
import { hashSession } from '../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { defineJob, type Job } from '../../../platform/jobs/job.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { signatureOf } from '../../../platform/secret-key/signature.ts';
import { SSO_PROOF } from './count-proof-email.ts';

/** Number of these emails to an account within an hour, and within a day, whoever asks for them. */
const MAX_AN_HOUR = 5;
const MAX_A_DAY = 20;

/** What signatures of codes are for. */
export const CODE_PURPOSE = 'sign-in code';

const data = z.object({ signInRequestId: z.string() });

/**
 * Sends the link and the code of a sign-in, if an account has verified the address and has not got many of these
 * emails. They are made here, and stored as a hash and a signature: an attempt that is repeated sends others.
 */
export const sendSignInEmail: Job<typeof data> = defineJob(
  'send-sign-in-email',
  data,
  async (ctx, { signInRequestId: id }) => {
    const { mailer, config, secretKeys } = ctx.services;
    if (!mailer) return;
    const code = randomInt(1_000_000).toString().padStart(6, '0');
    const secret = randomBytes(32).toString('base64url');
    const prepared = { codeSignature: signatureOf(secretKeys, CODE_PURPOSE, id, code), linkHash: hashSession(secret) };
    const address = await addressFor(ctx, id, prepared);
    if (address === undefined) return;
    await mailer.send({
      to: address,
      subject: 'Sign in to your account',
      paragraphs: [
        `A sign-in with this address has started at ${config.publicUrl}.`,
        'Enter this code in the browser where you have started:',
        { code },
        'Or open this link in the same browser. Code and link work once, for 15 minutes:',
        { link: `${config.publicUrl}/account/email-link?secret=${secret}` },
        'If it was not you, ignore this email. Do not share the code: the service never asks for it by phone or email.',
      ],
    });
  },
  { concurrency: 4, expiresIn: 120 },
);

/** The address to send to, once the code and the link are stored. Undefined if nothing is to be sent. */
const addressFor = (
  ctx: Context,
  id: string,
  prepared: { codeSignature: string; linkHash: Buffer },
): Promise<string | undefined> =>
  transact(ctx, async ({ db }) => {
    const now = nowOf(ctx);
    const request = await db
      .selectFrom('sign_in_request')
      .where('id', '=', id)
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', now)
      .select('email')
      .executeTakeFirst();
    if (!request) return undefined;
    // Locked, so that emails to an account are counted one after the other.
    const user = await db
      .selectFrom('user')
      .where(sql<string>`lower(email)`, '=', request.email)
      .select(['id', 'email'])
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user || user.email === null) return undefined;
    const since = (milliseconds: number) => new Date(Date.parse(now) - milliseconds).toISOString();
    const { anHour, aDay } = await db
      .selectFrom('sign_in_request')
      .where('userId', '=', user.id)
      .where('sentAt', '>', since(24 * HOUR_MS))
      .where('network', '<>', SSO_PROOF)
      .where('id', '<>', id)
      .select((sent) => [
        sent.fn.countAll<number>().as('aDay'),
        sent.fn.countAll<number>().filterWhere('sentAt', '>', since(HOUR_MS)).as('anHour'),
      ])
      .executeTakeFirstOrThrow();
    if (anHour >= MAX_AN_HOUR || aDay >= MAX_A_DAY) return undefined;
    await db
      .updateTable('sign_in_request')
      .set({ ...prepared, userId: user.id, sentAt: now })
      .where('id', '=', id)
      .execute();
    return user.email;
  });
