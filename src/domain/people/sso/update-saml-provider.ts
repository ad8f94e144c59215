import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { type ProviderRow, providerFor, providerForChange, rejectForeignTeam, rejectLockOut } from './access.ts';
import { endSignIns } from './end-sign-ins.ts';
import { isActive } from './is-active.ts';
import { label, normalizeSettings, organizationOfProvider, PROVIDER_SETTINGS, providerSettings } from './settings.ts';

export const updateSamlProvider = command({
  name: 'updateSamlProvider',
  scope: 'admin',
  description:
    'Updates a SAML provider. Omitted fields keep their values. A new default role applies to members who join afterwards. A new `entityId` disconnects people from their accounts: they are asked to prove their account, or get a new one. When `entityId` changes or the provider becomes inactive, pending sign-ins fail. Sessions made with it and the access of applications connected in them end within five seconds. CONFLICT if the provider would become inactive while the organization requires SSO and has no other active provider.',
  input: z.object({
    samlProviderId: idOf('saml'),
    organizationId: organizationOfProvider,
    label: label.optional(),
    ...providerSettings,
  }),
  versioned: 'samlProviderId',
  authorize: (ctx, { samlProviderId: id = '', organizationId }) =>
    providerFor(ctx, { id, protocol: 'saml', organizationId: organizationId || null }),
  async run(ctx, { samlProviderId, organizationId: inOrganization, ...input }): Promise<ProviderRow> {
    const provider = await providerForChange(ctx, {
      id: samlProviderId,
      protocol: 'saml',
      organizationId: inOrganization,
    });
    const { organizationId, entityId } = provider;
    await rejectForeignTeam(ctx, organizationId, input.defaultTeamId);
    const wasActive = isActive(provider);
    const changed = watchSettings(provider, PROVIDER_SETTINGS);
    ctx.em.assign(provider, { ...normalizeSettings(input), updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    const isDeactivated = wasActive && !isActive(provider);
    if (isDeactivated) await rejectLockOut(ctx, provider);
    if (isDeactivated || provider.entityId !== entityId) await endSignIns(ctx, provider);
    const ids = { samlProviderId };
    await recordEvent(ctx, { kind: 'saml_provider_updated', organizationId, ids, changes: changed() });
    return provider;
  },
});
