import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';

/**
 * Whether members can sign in with a provider, for a row of `saml_provider`. The columns of the other protocol are
 * null.
 */
export const activeInSql = (): RawBuilder<boolean> => sql<boolean>`(
  (sso_url is not null and entity_id is not null and certificate is not null)
  or (issuer is not null and client_id is not null and client_secret is not null))`;

/** Whether members of an organization can sign in with a provider. */
export async function isActiveProvider(
  { db }: Context,
  { organizationId, providerId }: { organizationId: string; providerId: string },
): Promise<boolean> {
  const provider = await db
    .selectFrom('saml_provider')
    .where('id', '=', providerId)
    .where('organizationId', '=', organizationId)
    .where(activeInSql())
    .select('id')
    .executeTakeFirst();
  return provider !== undefined;
}
