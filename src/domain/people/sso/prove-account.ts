import { provenAccountOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { lockCredential } from '../access/index.ts';
import { provingToken } from '../users/index.ts';
import { idOfProvider } from './access.ts';
import { admit } from './admit.ts';
import type { SsoSubject } from './entity.ts';
import {
  acceptedRequest,
  endRequest,
  type FinishedSignIn,
  lockAccessAndRequest,
  type SignInByCode,
  type SignInByMail,
  type SignInName,
  type SsoRequestRow,
} from './finish-sign-in.ts';
import { accountToProve, findRememberedAccount, linkIdentity, newAccount } from './sign-in-by-sso.ts';
import { SignInError } from './sign-in-error.ts';
import { activeProvider } from './start-sign-in.ts';

/** Proof that the account with the asserted address belongs to the person, or the person's choice not to use it. */
export type Proof = { kind: 'session' } | { kind: 'token'; token: string } | { kind: 'new' };

/** An invalid proof on the page that asks for one. The sign-in stays pending. */
export class NotProven extends Error {}

/**
 * Ends a sign-in that waits for the proof of an account: links the account to the subject, or makes a new one. A
 * session or a token that was made with SSO proves nothing. Throws `NotProven` and `SignInError`.
 */
export const proveAccount = (ctx: Context, name: SignInByCode, proof: Proof): Promise<FinishedSignIn> =>
  finish(ctx, name, proof);

/**
 * The same by the secret of an email to the address of the account, in the browser of the sign-in. Throws
 * `SignInError`.
 */
export const proveByMail = (ctx: Context, name: SignInByMail): Promise<FinishedSignIn> => finish(ctx, name, 'mail');

const finish = (ctx: Context, name: SignInName, proof: Proof | 'mail'): Promise<FinishedSignIn> =>
  transact(ctx, async (inside) => {
    const request = await lockAccessAndRequest(inside, name);
    const userId = request.userId ?? (await decide(inside, request, proof));
    return endRequest(inside, request, userId);
  });

async function decide(ctx: Context, request: SsoRequestRow, proof: Proof | 'mail'): Promise<string> {
  const person = request.subject;
  if (!person) throw new Error('decide() found neither a user nor a subject in an accepted sign-in request.');
  const provider = await activeProvider(ctx, request.samlProviderId);
  // Another sign-in can have been finished meanwhile.
  const linkedUserId = await findRememberedAccount(ctx, provider, person);
  if (linkedUserId !== undefined) return admit(ctx, provider, linkedUserId, person);
  if (proof !== 'mail' && proof.kind === 'new') return newAccount(ctx, provider, person);
  const { organizationId } = provider;
  const userId = await proven(ctx, organizationId, { person, proof });
  await linkIdentity(ctx, provider, person, userId);
  await recordEvent(ctx, { kind: 'sso_identity_linked', organizationId, ids: { userId, ...idOfProvider(provider) } });
  return admit(ctx, provider, userId, person);
}

async function proven(
  ctx: Context,
  organizationId: string,
  { person, proof }: { person: SsoSubject; proof: Proof | 'mail' },
): Promise<string> {
  const account = await accountToProve(ctx, organizationId, person);
  // An email proves the account that had verified the address when it was sent. Another one can be the person's since.
  if (account === undefined || (proof === 'mail' && !account.hasVerified))
    throw new SignInError('The address of the account has changed. Sign in again.');
  if (proof !== 'mail' && (await ownerBy(ctx, proof)) !== account.userId) throw new NotProven();
  return account.userId;
}

async function ownerBy(ctx: Context, proof: Proof): Promise<string | undefined> {
  if (proof.kind === 'token') return (await provingToken(ctx, proof.token))?.userId;
  if (proof.kind !== 'session') return undefined;
  await lockCredential(ctx);
  return provenAccountOf(ctx.actor);
}

/** Data for the page that asks for a proof. Of the account, it shows only what the person's provider has asserted. */
export interface ProofRequest {
  email: string;
  organizationTitle: string;
  /** The account has verified the address. Otherwise it is that of a member whom SCIM manages. */
  hasVerified: boolean;
  /** The browser has a session of the account. */
  isOwnSession: boolean;
}

/** The sign-in that waits for a proof. Throws `SignInError`. */
export async function requestedProof(ctx: Context, name: SignInByCode): Promise<ProofRequest> {
  const { subject: person, organizationId } = await acceptedRequest(ctx, name);
  const organization = await ctx.db
    .selectFrom('organization')
    .where('id', '=', organizationId)
    .select('title')
    .executeTakeFirst();
  if (!person || !organization) throw new SignInError('This sign-in was already completed. Sign in again.');
  const sessionUserId = provenAccountOf(ctx.actor);
  const account = await accountToProve(ctx, organizationId, person);
  const isOwnSession = sessionUserId !== undefined && account?.userId === sessionUserId;
  const hasVerified = account?.hasVerified ?? true;
  return { email: person.email, organizationTitle: organization.title, isOwnSession, hasVerified };
}
