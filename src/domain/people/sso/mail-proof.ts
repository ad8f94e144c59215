import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { hashSession } from '../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { defineJob, type Job } from '../../../platform/jobs/job.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { countProofEmail } from '../sessions/index.ts';
import { acceptedRequest, type SignInByCode } from './finish-sign-in.ts';
import { accountToProve } from './sign-in-by-sso.ts';
import { SignInError } from './sign-in-error.ts';

/** Time for the email to arrive and be read. */
const MAIL_SECONDS = 1_800;

/**
 * Sends the owner of the account with the asserted address a link that proves it, only in the browser of the sign-in.
 * Without a mail server, nothing is sent. An account gets few of these
 * emails within an hour. Throws `SignInError`.
 */
export const mailProof = (ctx: Context, name: SignInByCode): Promise<void> =>
  transact(ctx, async (inside) => {
    const { id, organizationId, subject: person } = await acceptedRequest(inside, name);
    const account = person ? await accountToProve(inside, organizationId, person) : undefined;
    if (!person || !account?.hasVerified || !ctx.services.mailer)
      throw new SignInError('The service cannot send a link for this sign-in. Start the sign-in again.');
    await sql`select from "user" where id = ${account.userId} for no key update`.execute(inside.db);
    if (!(await countProofEmail(inside, { userId: account.userId, email: person.email })))
      throw new SignInError('Several links were already sent to this address. Try again in an hour.');
    const now = nowOf(inside);
    const expiresAt = new Date(Date.parse(now) + MAIL_SECONDS * 1_000).toISOString();
    await inside.db.updateTable('saml_request').set({ mailedAt: now, expiresAt }).where('id', '=', id).execute();
    await enqueue(inside, sendProof, { samlRequestId: id, userId: account.userId });
  });

/**
 * Whether the person of a request has this address. The JSON is compared as text: it is not parsed, which would fail
 * for the requests of all organizations if one of them had a character that PostgreSQL cannot represent.
 */
const asserts = (email: string): RawBuilder<boolean> =>
  sql<boolean>`strpos(lower(subject::text), lower(${`"email":${JSON.stringify(email)}`})) > 0`;

const data = z.object({ samlRequestId: z.string(), userId: z.string() });

/** Sends the link. Its secret is made here and stored as a hash: an attempt that is repeated sends another one. */
export const sendProof: Job<typeof data> = defineJob(
  'send-sign-in-proof',
  data,
  async (ctx, { samlRequestId, userId }) => {
    const { mailer, config } = ctx.services;
    const user = await ctx.db.selectFrom('user').where('id', '=', userId).select('email').executeTakeFirst();
    if (!mailer || !user || user.email === null) return;
    const secret = randomBytes(32).toString('base64url');
    const request = await ctx.db
      .updateTable('saml_request as r')
      .from('organization as o')
      .whereRef('o.id', '=', 'r.organizationId')
      .where('r.id', '=', samlRequestId)
      .where('r.expiresAt', '>', nowOf(ctx))
      .where(asserts(user.email))
      .set({ mailHash: hashSession(secret) })
      .returning('o.title')
      .executeTakeFirst();
    if (!request) return;
    const paragraphs = [
      `A person is signing in to ${request.title} as ${user.email}, and asks to use your account at ${config.publicUrl} for it.`,
      'If this is you, open this link in the same browser within half an hour:',
      { link: `${config.publicUrl}/sso/link?secret=${secret}` },
      'If it is not you, ignore this email.',
    ];
    await mailer.send({ to: user.email, subject: `Sign-in to ${request.title}`, paragraphs });
  },
  { concurrency: 4, expiresIn: 120 },
);
