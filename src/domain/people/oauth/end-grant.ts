import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { recordAccountEvent } from '../access/index.ts';
import { deleteRecordsOf, forgetTokens } from './load-grants.ts';

/**
 * Ends a grant of a user with all of its tokens, in the transaction of a command. False if there is no such grant, or it does not
 * meet the condition.
 */
export async function endGrant(
  ctx: Context,
  ids: { oauthGrantId: string; userId: string },
  condition: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<boolean> {
  const deleted = await ctx.db
    .deleteFrom('oauth_grant')
    .where('id', '=', ids.oauthGrantId)
    .where('userId', '=', ids.userId)
    .where(condition)
    .returning(['organizationIds', 'samlProviderId'])
    .executeTakeFirst();
  if (!deleted) return false;
  const hashes = await deleteRecordsOf(ctx.db, ids.oauthGrantId);
  await recordAccountEvent(ctx, { kind: 'oauth_grant_revoked', ids }, concernedBy(deleted));
  ctx.afterCommit?.push(() => forgetTokens(ctx.services, hashes));
  return true;
}

/**
 * Ends all grants that were given in sessions with an identity provider, in a transaction. Other processes accept their
 * tokens for up to five more seconds.
 */
export async function endGrantsOfProvider(ctx: Context, samlProviderId: string): Promise<void> {
  const grants = await ctx.db
    .selectFrom('oauth_grant')
    .where('samlProviderId', '=', samlProviderId)
    .select(['id as oauthGrantId', 'userId'])
    .execute();
  for (const grant of grants) await endGrant(ctx, grant);
}

/** The same for the grants that a user gave in sessions with any identity provider of an organization. */
export async function endSsoGrants(
  ctx: Context,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  const grants = await ctx.db
    .selectFrom('oauth_grant as g')
    .innerJoin('saml_provider as p', 'p.id', 'g.samlProviderId')
    .where('g.userId', '=', userId)
    .where('p.organizationId', '=', organizationId)
    .select('g.id')
    .execute();
  for (const { id } of grants) await endGrant(ctx, { oauthGrantId: id, userId });
}

/**
 * The organizations that an event of a grant is recorded in, as `eventsOfAccount` takes them: one for a grant of an SSO
 * session, and all of the user's if it is not limited.
 */
export const concernedBy = ({
  organizationIds,
  samlProviderId,
}: Pick<Row<'oauth_grant'>, 'organizationIds' | 'samlProviderId'>): string | readonly string[] | undefined =>
  (samlProviderId === null ? organizationIds : organizationIds?.[0]) ?? undefined;
