import { type RawBuilder, sql } from 'kysely';
import { forgetToken } from '../../../platform/access/authenticate.ts';
import type { Context } from '../../../platform/context/context.ts';
import { recordSessionEnd } from './sign-out.ts';

/**
 * Sessions at an OpenID provider that have ended: one by its `sid`, or all of a subject. With both, also those of the
 * subject whose `sid` the provider has not told.
 */
export interface EndedAtProvider {
  /** The provider of an organization. Null for the provider of the whole service. */
  providerId: string | null;
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
}

/**
 * Ends the sessions that were started with those of a provider, in a transaction. Returns how many. Other processes
 * accept them for up to five more seconds.
 */
export async function endProviderSessions(
  ctx: Context,
  { providerId, issuer, subject, sid }: EndedAtProvider,
): Promise<number> {
  if (subject === undefined && sid === undefined) throw new Error('endProviderSessions() needs a subject or a sid.');
  const ended = await ctx.db
    .deleteFrom('session')
    .where(sql<boolean>`saml_provider_id is not distinct from ${providerId}`)
    .where('providerIssuer', '=', issuer)
    .$if(subject !== undefined, (sessions) => sessions.where('providerSubject', '=', subject ?? ''))
    .$if(sid !== undefined, (sessions) => sessions.where(isOf(sid ?? '', subject)))
    .returning(['secretHash', 'userId', 'samlProviderId'])
    .execute();
  for (const session of ended) await recordSessionEnd(ctx, session);
  return ended.length;
}

const isOf = (sid: string, subject: string | undefined): RawBuilder<boolean> =>
  subject === undefined
    ? sql<boolean>`provider_sid = ${sid}`
    : sql<boolean>`(provider_sid = ${sid} or provider_sid is null)`;

/**
 * Ends all sessions that were started with a provider, in a transaction. Other processes accept them for up to five
 * more seconds.
 */
export async function endSessionsOfProvider(ctx: Context, providerId: string): Promise<void> {
  const ended = await ctx.db
    .deleteFrom('session')
    .where('samlProviderId', '=', providerId)
    .returning('secretHash')
    .execute();
  ctx.afterCommit?.push(() => {
    for (const { secretHash } of ended) forgetToken(ctx.services, Buffer.from(secretHash));
  });
}
