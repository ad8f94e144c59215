import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { noteEnd } from './sign-out.ts';

/** Sessions at an OpenID provider that have ended: one by its `sid`, or all of a subject. */
export interface EndedAtProvider {
  /** The provider of an organization. Null for the provider of the whole service. */
  samlProviderId: string | null;
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
}

/**
 * Ends the sessions that were started with those of a provider, in a transaction. Returns how many. Other processes accept
 * them for up to five more seconds.
 */
export async function endProviderSessions(
  ctx: Context,
  { samlProviderId, issuer, subject, sid }: EndedAtProvider,
): Promise<number> {
  if (subject === undefined && sid === undefined) throw new Error('endProviderSessions() needs a subject or a sid.');
  const ended = await ctx.db
    .deleteFrom('session')
    .where(sql<boolean>`saml_provider_id is not distinct from ${samlProviderId}`)
    .where('providerIssuer', '=', issuer)
    .$if(subject !== undefined, (sessions) => sessions.where('providerSubject', '=', subject ?? ''))
    .$if(sid !== undefined, (sessions) => sessions.where('providerSid', '=', sid ?? ''))
    .returning(['secretHash', 'userId', 'samlProviderId'])
    .execute();
  for (const session of ended) await noteEnd(ctx, session);
  return ended.length;
}
