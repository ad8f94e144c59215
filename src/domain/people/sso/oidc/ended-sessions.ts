import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../../../../platform/context/context.ts';
import type { ProviderSession } from '../entity.ts';
import { SignInError } from '../sign-in-error.ts';

/** How long it is remembered that a session has ended. Sign-ins take less from the ID token to the session. */
const REMEMBERED_MS = 600_000;

/** The sessions at a provider that a logout token names, and its time in seconds. */
interface Ended {
  /** Or `instance` for the provider of the whole service. */
  providerId: string;
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
  endedAt: number;
}

/**
 * Notes that sessions at a provider have ended, in a transaction that ends the sessions and sign-ins here afterwards.
 * Sign-ins whose ID token is being read, which nothing here names yet, are refused by it (`rejectEnded`).
 */
export async function recordEndedSessions(ctx: Context, ended: Ended): Promise<void> {
  const { providerId, issuer, subject, sid, endedAt } = ended;
  await sql`select pg_advisory_xact_lock(${lockOf(providerId)})`.execute(ctx.db);
  const expiresAt = remembered(endedAt);
  // A token with both also ends sessions of the subject without a `sid`.
  const keys = [keyOf(issuer, subject, sid), ...(subject && sid ? [keyOf(issuer, subject, NO_SID)] : [])];
  await ctx.db
    .insertInto('oidc_logout_token')
    .values(keys.map((jtiHash) => ({ providerId, jtiHash, expiresAt })))
    .onConflict((conflict) =>
      conflict.columns(['providerId', 'jtiHash']).doUpdateSet((row) => ({
        expiresAt: sql<string>`greatest(${row.ref('oidc_logout_token.expiresAt')}, ${expiresAt})`,
      })),
    )
    .execute();
}

/** A session at a provider that a person has signed in with, and the time of the ID token in seconds. */
export interface AtProvider {
  providerId: string;
  session: ProviderSession;
  issuedAt: number;
}

/**
 * Refuses a sign-in whose session at the provider has ended since the ID token was issued, in the transaction that
 * stores the session. Logout tokens wait until it ends. Throws `SignInError`.
 */
export async function rejectEnded(ctx: Context, { providerId, session, issuedAt }: AtProvider): Promise<void> {
  const { issuer, subject, sid } = session;
  await sql`select pg_advisory_xact_lock_shared(${lockOf(providerId)})`.execute(ctx.db);
  const keys = [
    keyOf(issuer, subject, undefined),
    keyOf(issuer, subject, sid ?? NO_SID),
    ...(sid === null ? [] : [keyOf(issuer, undefined, sid)]),
  ];
  const ended = await ctx.db
    .selectFrom('oidc_logout_token')
    .where('providerId', '=', providerId)
    .where('jtiHash', 'in', keys)
    // Also of the same second: which of the two came first is not known.
    .where('expiresAt', '>=', remembered(Math.floor(issuedAt)))
    .select('providerId')
    .executeTakeFirst();
  if (ended) throw new SignInError('You have signed out at the identity provider in the meantime. Sign in again.');
}

/** No provider names a session like this, since it has no text. */
const NO_SID = '';

const lockOf = (providerId: string) => sql`hashtextextended(${`oidc logout ${providerId}`}, 0)`;

const remembered = (seconds: number) => new Date(seconds * 1_000 + REMEMBERED_MS).toISOString();

/** Stored beside the hashes of ids of tokens, in the same form. */
const keyOf = (issuer: string, subject: string | undefined, sid: string | undefined): Buffer =>
  hash('sha256', `ended ${JSON.stringify([issuer, subject ?? null, sid ?? null])}`, 'buffer');
