import type { Context } from '../../../platform/context/context.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import { rejectAtLimit } from '../../../platform/operation/count-limit.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { accessInOrganization, assertAdmin, notVisibleError, organizationFor, permissions } from '../access/index.ts';
import { activeInSql } from '../organizations/index.ts';
import { IdentityProvider, type Protocol } from './entity.ts';
import { MAX_PROVIDERS } from './settings.ts';

/** An identity provider, of either protocol. */
export type ProviderRow = Row<'saml_provider'>;

/** Input that names a provider of a protocol. In REST it also has the organization. */
export interface ProviderName {
  id: string;
  protocol: Protocol;
  organizationId?: string | null | undefined;
}

/**
 * The identity provider, if the caller is an admin of its organization. NOT_FOUND for all others, since only admins see
 * providers; FORBIDDEN for other members of an organization that the input names.
 */
export async function providerFor(ctx: Context, { id, protocol, organizationId }: ProviderName): Promise<ProviderRow> {
  if (organizationId != null) await assertAdmin(ctx, organizationId);
  const provider = await loadProvider(ctx, id);
  const isThere =
    provider?.protocol === protocol && (organizationId == null || provider.organizationId === organizationId);
  if (!isThere) throw noSuchProvider(ctx, { id, protocol });
  return provider;
}

/** The same as a locked entity, with a lock of the organization, for commands. FORBIDDEN in a blocked organization. */
export async function providerForChange(ctx: Context, name: ProviderName): Promise<ProviderRow> {
  const { id, organizationId } = await providerFor(ctx, name);
  const needed = permissions.updateSamlProvider.organization;
  await organizationFor({ ...ctx, expected: undefined }, organizationId, needed, 'for no key update');
  const provider = await lockEntity(ctx, IdentityProvider, { id });
  if (!provider) throw noSuchProvider(ctx, name);
  return recordVersion(ctx, provider, { lock: 'for no key update' });
}

const NAMES = { saml: 'SAML provider', oidc: 'OIDC provider' } as const satisfies Record<Protocol, string>;

const noSuchProvider = (ctx: Context, { id, protocol }: ProviderName) => notVisibleError(ctx, NAMES[protocol], id);

/** Identity providers by id, batched. Only those of organizations that the caller is an admin of. */
export const loadProvider = entityLoader<ProviderRow>(IdentityProvider, {
  isShown: async (ctx, { organizationId }) => (await accessInOrganization(ctx, organizationId))?.role === 'admin',
});

/** Throws if a default team is not of the organization. */
export async function rejectForeignTeam(
  { db }: Context,
  organizationId: string,
  teamId: string | null | undefined,
): Promise<void> {
  if (teamId == null) return;
  const team = await db
    .selectFrom('team')
    .where('id', '=', teamId)
    .where('organizationId', '=', organizationId)
    .select('id')
    .executeTakeFirst();
  if (!team) throw badInput(['defaultTeamId'], `"${teamId}" is not a team of this organization.`, 'NOT_FOUND');
}

/** Throws if the organization has as many providers of a protocol as it can have. */
export const rejectAtProviderLimit = (ctx: Context, organizationId: string, protocol: Protocol): Promise<void> =>
  rejectAtLimit(
    ctx,
    {
      name: `${protocol} providers:${organizationId}`,
      max: MAX_PROVIDERS,
      message: `This organization already has ${MAX_PROVIDERS} ${NAMES[protocol]}s. Delete one first.`,
    },
    ctx.db.selectFrom('saml_provider').where('organizationId', '=', organizationId).where('protocol', '=', protocol),
  );

/** Throws if SSO is enforced and no provider would remain active without this one. */
export async function rejectLockOut({ db }: Context, { id, organizationId }: ProviderRow): Promise<void> {
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
    .where(activeInSql())
    .select('id')
    .executeTakeFirst();
  if (!other) {
    throw conflict(
      'This organization requires SSO, and this is its last active identity provider. Turn the requirement off first.',
    );
  }
}

/** The id of a provider, by the name that inputs and events of its protocol use. */
export const idOfProvider = ({
  id,
  protocol,
}: Pick<Row<'saml_provider'>, 'id' | 'protocol'>): { samlProviderId: string } | { oidcProviderId: string } =>
  protocol === 'saml' ? { samlProviderId: id } : { oidcProviderId: id };
