import { sql } from 'kysely';
import { hashSession } from '../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { lockAccess } from '../access/index.ts';
import { activeInSql } from '../organizations/index.ts';
import { type StartedSession, startSession } from '../sessions/index.ts';
import { SignInError } from './sign-in-error.ts';

export type SsoRequestRow = Row<'saml_request'>;

/** Names a sign-in whose response was accepted: by its code, and by the cookie of the browser that started it. */
export interface SignInByCode {
  code: string;
  browserSecret: string | undefined;
}

/** The same by the secret of an email. */
export interface SignInByMail {
  mailSecret: string;
  browserSecret: string | undefined;
}

export type SignInName = SignInByCode | SignInByMail;

/** The session that a sign-in ends with, and the path to open then. */
export type FinishedSignIn = StartedSession & { returnTo: string };

/**
 * Exchanges the code of an accepted response for a session, once, and only for the browser that started the sign-in, so
 * that attackers cannot sign others in to their own account. Undefined if an account must be proved first. Throws
 * `SignInError`.
 */
export const finishSignIn = (ctx: Context, name: SignInByCode): Promise<FinishedSignIn | undefined> =>
  transact(ctx, async (inside) => {
    const request = await lockAccessAndRequest(inside, name);
    return request.userId === null ? undefined : endRequest(inside, request, request.userId);
  });

/**
 * Locks the access of the organization, so that no member is deactivated meanwhile, and then the accepted request of a
 * browser, in this order like all changes of members. Throws `SignInError`.
 */
export async function lockAccessAndRequest(ctx: Context, name: SignInName): Promise<SsoRequestRow> {
  const { organizationId } = requireRequest(await requestsBy(ctx, name).executeTakeFirst());
  await lockAccess(ctx, organizationId);
  return acceptedRequest(ctx, name);
}

/** The accepted request of a browser, locked, if its provider is still active. Throws `SignInError`. */
export async function acceptedRequest(ctx: Context, name: SignInName): Promise<SsoRequestRow> {
  const request = requireRequest(await requestsBy(ctx, name).forUpdate().executeTakeFirst());
  const provider = await ctx.db
    .selectFrom('saml_provider')
    .where('id', '=', request.samlProviderId)
    .where(activeInSql())
    .select('id')
    .executeTakeFirst();
  if (!provider) throw new SignInError('The identity provider is no longer active. Use another sign-in method.');
  return request;
}

function requestsBy(ctx: Context, name: SignInName) {
  const byName =
    'code' in name ? sql`code_hash = ${hashSession(name.code)}` : sql`mail_hash = ${hashSession(name.mailSecret)}`;
  return ctx.db
    .selectFrom('saml_request')
    .where(sql<boolean>`${byName}`)
    .where('codeHash', 'is not', null)
    .where('browserHash', '=', hashSession(name.browserSecret ?? ''))
    .where('expiresAt', '>', nowOf(ctx))
    .selectAll();
}

function requireRequest(request: SsoRequestRow | undefined): SsoRequestRow {
  if (!request)
    throw new SignInError(
      'This sign-in was not started in this browser, took too long, or was already completed. Sign in again.',
    );
  return request;
}

/** Ends a sign-in with a session of the user. Throws `SignInError` if the user is no longer an active member. */
export async function endRequest(ctx: Context, request: SsoRequestRow, userId: string): Promise<FinishedSignIn> {
  const { id, organizationId, samlProviderId, returnTo, providerSession } = request;
  await ctx.db.deleteFrom('saml_request').where('id', '=', id).execute();
  const member = await ctx.db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .select('isDisabled')
    .executeTakeFirst();
  if (!member) throw new SignInError('Your membership in this organization has ended. Sign in again.');
  if (member.isDisabled) throw new SignInError('Your membership in this organization is disabled.');
  const session = await startSession(ctx, {
    userId,
    sso: { organizationId, providerId: samlProviderId },
    ...(providerSession && { providerSession }),
  });
  return { ...session, returnTo };
}
