import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { recordEvents } from '../../../platform/events/record-event.ts';
import { recordAccountEvent } from '../access/index.ts';
import { deleteRecordsOf, forgetTokens } from './load-grants.ts';

/**
 * Ends a grant of a user with all of its tokens, in the transaction of a command. False if there is no such grant, or
 * it does not meet the condition.
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
  const hashes = await deleteRecordsOf(ctx.db, [ids.oauthGrantId]);
  await recordAccountEvent(ctx, { kind: 'oauth_grant_revoked', ids }, organizationsOfGrant(deleted));
  ctx.afterCommit?.push(() => forgetTokens(ctx.services, hashes));
  return true;
}

/**
 * Ends the grants that were given in sessions with an identity provider, in a transaction: all, or those of a user. The
 * number of statements is constant. Other processes accept their tokens for up to five more seconds.
 */
export async function endGrantsOfProvider(
  ctx: Context,
  { id, organizationId }: Pick<Row<'saml_provider'>, 'id' | 'organizationId'>,
): Promise<void> {
  await endSsoGrants(ctx, organizationId, sql`g.saml_provider_id = ${id}`);
}

/** The same for the grants of a user by any identity provider of an organization. */
export async function endSsoGrantsOf(
  ctx: Context,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  await endSsoGrants(
    ctx,
    organizationId,
    sql`g.user_id = ${userId} and g.saml_provider_id in (
      select p.id from saml_provider p where p.organization_id = ${organizationId})`,
  );
}

async function endSsoGrants(ctx: Context, organizationId: string, isMeant: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ oauthGrantId: string; userId: string }>`
    delete from oauth_grant g where ${isMeant} returning g.id as oauth_grant_id, g.user_id`.execute(ctx.db);
  if (rows.length === 0) return;
  const hashes = await deleteRecordsOf(
    ctx.db,
    rows.map(({ oauthGrantId }) => oauthGrantId),
  );
  for (let start = 0; start < rows.length; start += EVENTS_AT_ONCE)
    await recordEvents(
      ctx,
      rows.slice(start, start + EVENTS_AT_ONCE).map((ids) => ({ kind: 'oauth_grant_revoked', organizationId, ids })),
    );
  ctx.afterCommit?.push(() => forgetTokens(ctx.services, hashes));
}

const EVENTS_AT_ONCE = 1_000;

/**
 * The organizations that an event of a grant is recorded in, as `eventsOfAccount` takes them: one for a grant of an SSO
 * session, and all of the user's if it is not limited.
 */
export const organizationsOfGrant = ({
  organizationIds,
  samlProviderId,
}: Pick<Row<'oauth_grant'>, 'organizationIds' | 'samlProviderId'>): string | readonly string[] | undefined =>
  (samlProviderId === null ? organizationIds : organizationIds?.[0]) ?? undefined;
