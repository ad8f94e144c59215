import type { Context } from '../../../platform/context/context.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import { compareVersion } from '../../../platform/operation/version.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { accessInOrganization, administers, notVisibleError, organizationFor, permissions } from '../access/index.ts';
import { SamlProvider } from './entity.ts';

export type SamlProviderRow = Row<'saml_provider'>;

/** Input that names a provider. In REST it also has the organization. */
export interface ProviderName {
  samlProviderId: string;
  organizationId?: string | null | undefined;
}

/**
 * The SAML provider, if the caller is an admin of its organization. NOT_FOUND for all others, since only admins see providers;
 * FORBIDDEN for other members of an organization that the input names.
 */
export async function providerFor(
  ctx: Context,
  { samlProviderId: id, organizationId }: ProviderName,
): Promise<SamlProviderRow> {
  if (organizationId != null) await administers(ctx, organizationId);
  const found = await loadSamlProvider(ctx, id);
  const isThere = found && (organizationId == null || found.organizationId === organizationId);
  if (!isThere) throw notVisibleError(ctx, 'SAML provider', id);
  return found;
}

/** The same as a locked entity, with a lock of the organization, for commands. FORBIDDEN in a blocked organization. */
export async function providerForChange(ctx: Context, name: ProviderName): Promise<SamlProviderRow> {
  const { id, organizationId } = await providerFor(ctx, name);
  const needed = permissions.updateSamlProvider.organization;
  await organizationFor({ ...ctx, expected: undefined }, organizationId, needed, 'for no key update');
  const provider = await lockEntity(ctx, SamlProvider, { id });
  if (!provider) throw notVisibleError(ctx, 'SAML provider', id);
  return compareVersion(ctx, provider, { lock: 'for no key update' });
}

/** SAML providers by id, batched. Only those of organizations that the caller is an admin of. */
export const loadSamlProvider = entityLoader<SamlProviderRow>(SamlProvider, {
  isShown: async (ctx, { organizationId }) => (await accessInOrganization(ctx, organizationId))?.role === 'admin',
});

/** Throws if a default team is not of the organization. */
export async function rejectForeignTeam(
  { db }: Context,
  organizationId: string,
  teamId: string | null | undefined,
): Promise<void> {
  if (teamId == null) return;
  const found = await db
    .selectFrom('team')
    .where('id', '=', teamId)
    .where('organizationId', '=', organizationId)
    .select('id')
    .executeTakeFirst();
  if (!found) throw badInput(['defaultTeamId'], `"${teamId}" is not a team of this organization.`, 'NOT_FOUND');
}

/** Throws if SSO is enforced and no provider would remain active without this one. */
export async function rejectLockOut({ db }: Context, { id, organizationId }: SamlProviderRow): Promise<void> {
  const { sso } = await db
    .selectFrom('organization')
    .where('id', '=', organizationId)
    .select('sso')
    .executeTakeFirstOrThrow();
  if (!sso) return;
  const other = await db
    .selectFrom('saml_provider')
    .where('organizationId', '=', organizationId)
    .where('id', '!=', id)
    .where('ssoUrl', 'is not', null)
    .where('entityId', 'is not', null)
    .where('certificate', 'is not', null)
    .select('id')
    .executeTakeFirst();
  if (!other) {
    throw conflict(
      'This organization requires SSO, and this is its last active SAML provider. Turn the requirement off first.',
    );
  }
}
