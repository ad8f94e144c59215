import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { conflict, orNull } from '../../../platform/errors/errors.ts';
import { assertAdmin, lockAccess } from '../access/index.ts';
import { endGrantsOfProvider } from '../oauth/index.ts';
import { noteGroupChanges } from '../teams/index.ts';
import { type ProviderName, type ProviderRow, providerFor, providerForChange, rejectLockOut } from './access.ts';

/** Checks the access of a command that deletes a provider, before its input is validated. */
export async function authorizeDeletion(ctx: Context, { id, protocol, organizationId }: ProviderName): Promise<void> {
  if (organizationId) await assertAdmin(ctx, organizationId);
  await orNull(providerFor(ctx, { id, protocol }));
}

/**
 * Deletes a provider with the roles, team memberships and identities that it gave, and returns it. Its sessions and
 * tokens are no longer valid then. Null if the provider does not exist or the caller cannot see it. CONFLICT if this
 * would leave no admin.
 */
export async function endProvider(ctx: Context, name: ProviderName): Promise<ProviderRow | null> {
  if (name.organizationId != null) await assertAdmin(ctx, name.organizationId);
  const unlockedProvider = await orNull(providerFor(ctx, name));
  if (unlockedProvider) await lockAccess(ctx, unlockedProvider.organizationId);
  const provider = await orNull(providerForChange(ctx, name));
  if (!provider) return null;
  await rejectLockOut(ctx, provider);
  await endGiven(ctx, provider);
  await endGrantsOfProvider(ctx, provider);
  await ctx.db.deleteFrom('saml_request').where('samlProviderId', '=', provider.id).execute();
  await ctx.db.deleteFrom('oidc_logout_token').where('providerId', '=', provider.id).execute();
  await ctx.db.deleteFrom('saml_provider').where('id', '=', provider.id).execute();
  return provider;
}

/** Ends what a provider gave. A role without a giver counts for no caller. */
async function endGiven(ctx: Context, { id, organizationId }: ProviderRow): Promise<void> {
  const { db } = ctx;
  const admin = await db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'admin')
    .where('isAccepted', '=', true)
    .where('isDisabled', '=', sql.lit(false))
    .where(sql<boolean>`role_provider_id is distinct from ${id}`)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (!admin)
    throw conflict('All admins have their role from this identity provider. Set the role of one of them first.');
  await db
    .updateTable('membership')
    .set({ role: null, roleProviderId: null })
    .where('organizationId', '=', organizationId)
    .where('roleProviderId', '=', id)
    .execute();
  const left = await db
    .deleteFrom('team_member')
    .where('organizationId', '=', organizationId)
    .where('samlProviderId', '=', id)
    .returning('teamId')
    .execute();
  await noteGroupChanges(ctx, [...new Set(left.map(({ teamId }) => teamId))]);
  await db.deleteFrom('sso_identity').where('samlProviderId', '=', id).execute();
}
