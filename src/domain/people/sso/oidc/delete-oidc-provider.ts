import { z } from 'zod';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { authorizeDeletion, endProvider } from '../end-provider.ts';
import { organizationOfProvider } from '../settings.ts';

export const deleteOidcProvider = command({
  name: 'deleteOidcProvider',
  scope: 'admin',
  description:
    'Deletes an OIDC provider. Sessions and access tokens that were made with it end within five seconds. Members remain, as guests if the provider gave their role, and are removed from teams that it added them to. If they later sign in with another provider, they are asked to prove their account, or get a new one. CONFLICT if the organization requires SSO and has no other active provider, or if no admin would be left.',
  input: z.object({
    oidcProviderId: idOf('oidc'),
    organizationId: organizationOfProvider,
  }),
  versioned: 'oidcProviderId',
  authorize: (ctx, { oidcProviderId: id = '', organizationId }) =>
    authorizeDeletion(ctx, { id, protocol: 'oidc', organizationId }),
  async run(ctx, { oidcProviderId: id, organizationId: inOrganization }) {
    const provider = await endProvider(ctx, { id, protocol: 'oidc', organizationId: inOrganization });
    if (!provider) return { deletedId: null, organizationId: null };
    const { organizationId } = provider;
    await recordEvent(ctx, { kind: 'oidc_provider_deleted', organizationId, ids: { oidcProviderId: id } });
    return { deletedId: id, organizationId };
  },
});
