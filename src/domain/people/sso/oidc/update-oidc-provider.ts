import { z } from 'zod';
import { nowOf } from '../../../../platform/context/context.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { watchSettings } from '../../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { type ProviderRow, providerFor, providerForChange, rejectForeignTeam, rejectLockOut } from '../access.ts';
import { endPendingSignIns, endSignIns } from '../end-sign-ins.ts';
import { isActiveOidc } from '../is-active.ts';
import { label, organizationOfProvider } from '../settings.ts';
import { clientSecret } from './client-secret.ts';
import { OIDC_SETTINGS, oidcSettings, rejectForeignTeams, rejectPlainHttp } from './settings.ts';

export const updateOidcProvider = command({
  name: 'updateOidcProvider',
  scope: 'admin',
  description:
    'Updates an OIDC provider. Omitted fields keep their values. A new default role applies to members who join afterwards; new groups and teams apply with the next sign-in. A new `issuer` needs the client secret again and disconnects people from their accounts: they are asked to prove their account, or get a new one. When groups or their teams change, pending sign-ins fail. When the issuer or the client changes, or the provider becomes inactive, they fail too, and sessions made with it and the access of applications connected in them end within five seconds. CONFLICT if the provider would become inactive while the organization requires SSO and has no other active provider.',
  input: z.object({
    oidcProviderId: idOf('oidc'),
    organizationId: organizationOfProvider,
    label: label.optional(),
    ...oidcSettings,
  }),
  versioned: 'oidcProviderId',
  authorize: (ctx, { oidcProviderId: id = '', organizationId }) =>
    providerFor(ctx, { id, protocol: 'oidc', organizationId: organizationId || null }),
  async run(ctx, { oidcProviderId: id, organizationId: inOrganization, clientSecret: secret, ...input }) {
    const provider = await providerForChange(ctx, { id, protocol: 'oidc', organizationId: inOrganization });
    const { organizationId, issuer, clientId } = provider;
    rejectPlainHttp(ctx, input.issuer);
    rejectForeignSecret(provider, input.issuer, secret);
    await rejectForeignTeam(ctx, organizationId, input.defaultTeamId);
    await rejectForeignTeams(ctx, organizationId, input.groupTeams);
    const wasActive = isActiveOidc(provider);
    const changed = watchSettings(provider, OIDC_SETTINGS);
    ctx.em.assign(provider, {
      ...input,
      ...(secret !== undefined && {
        clientSecret: secret === null ? null : clientSecret.encrypt(ctx.services, { id }, secret),
      }),
      updatedAt: nowOf(ctx),
    });
    await ctx.em.flush();
    const isDeactivated = wasActive && !isActiveOidc(provider);
    if (isDeactivated) await rejectLockOut(ctx, provider);
    // Logout tokens of the former issuer or client are no longer accepted.
    if (isDeactivated || provider.issuer !== issuer || provider.clientId !== clientId) await endSignIns(ctx, provider);
    const changes = changed();
    // Pending sign-ins have the teams of the former groups.
    if ('groupsClaim' in changes || 'groupTeams' in changes) await endPendingSignIns(ctx, provider);
    const ids = { oidcProviderId: id };
    await recordEvent(ctx, { kind: 'oidc_provider_updated', organizationId, ids, changes });
    return provider;
  },
});

/** An admin cannot read the client secret, and so must not have it sent to an issuer of their choice. */
function rejectForeignSecret(
  provider: ProviderRow,
  issuer: string | null | undefined,
  secret: string | null | undefined,
): void {
  if (issuer === undefined || issuer === provider.issuer || provider.clientSecret === null || secret !== undefined)
    return;
  throw badInput(
    ['clientSecret'],
    'is required with another issuer: the secret of the former one is not sent to it.',
    'REQUIRED',
  );
}
