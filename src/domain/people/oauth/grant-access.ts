import { sql } from 'kysely';
import type { Grantor } from '../../../platform/access/actor.ts';
import type { Scope } from '../../../platform/access/scopes.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { lockCredential, recordAccountEvent } from '../access/index.ts';
import type { ConsentRequest } from './consent-request.ts';
import { endGrant, organizationsOfGrant } from './end-grant.ts';
import { GRANT_SECONDS } from './settings.ts';

/** What the user has chosen. */
export interface Choice {
  scopes: readonly Scope[];
  /** The only organizations that the application reaches. Null for all. */
  organizationIds: readonly string[] | null;
  /** The only spaces in which it acts, of exactly these organizations. Null for all. */
  spaceIds: readonly string[] | null;
}

/**
 * Lets an application act for a user as the user has chosen, in a transaction. What is given in an SSO session is for
 * its organization, as access tokens are. Returns the id of the grant. FORBIDDEN by a session or token that has ended.
 */
export async function grantAccess(
  inside: Context,
  { userId, sso }: Grantor,
  { client, redirectTo, resources }: ConsentRequest,
  { scopes, organizationIds: chosen, spaceIds }: Choice,
): Promise<string> {
  await lockCredential(inside);
  const providerId = sso?.providerId ?? null;
  const organizationIds = sso ? [sso.organizationId] : chosen && [...chosen];
  const id = newId('oauthgrant');
  const now = inside.services.clock().getTime();
  await endOldest(inside, userId, providerId);
  await inside.db
    .insertInto('oauth_grant')
    .values({
      id,
      userId,
      clientId: client.id,
      clientName: client.name,
      redirectTo,
      scopes: [...scopes],
      organizationIds,
      spaceIds: spaceIds && [...spaceIds],
      samlProviderId: providerId,
      resources: [...resources],
      createdAt: nowOf(inside),
      expiresAt: new Date(now + GRANT_SECONDS * 1_000).toISOString(),
    })
    .execute();
  const ids = { oauthGrantId: id, userId };
  const changes = settingsSet({
    clientId: client.id,
    redirectTo,
    scopes,
    resources,
    isLimited: organizationIds !== null,
    isLimitedToSpaces: spaceIds !== null,
  });
  await recordAccountEvent(
    inside,
    { kind: 'oauth_grant_created', ids, changes },
    organizationsOfGrant({ organizationIds, samlProviderId: providerId }),
  );
  return id;
}

/**
 * Number of applications that a user can have connected, in SSO sessions with each identity provider and without. The
 * page of the account lists as many.
 */
const MAX_GRANTS = 100;

/** Ends the grants that were not used for the longest time, so that there is room for another one. */
async function endOldest(ctx: Context, userId: string, providerId: string | null): Promise<void> {
  const over = await ctx.db
    .selectFrom('oauth_grant')
    .where('userId', '=', userId)
    .where(sql<boolean>`saml_provider_id is not distinct from ${providerId}`)
    .orderBy((by) => by.fn.coalesce('lastUsedAt', 'createdAt'), 'desc')
    .orderBy('id')
    .offset(MAX_GRANTS - 1)
    .limit(MAX_GRANTS)
    .select('id')
    .execute();
  for (const { id } of over) await endGrant(ctx, { userId, oauthGrantId: id });
}
