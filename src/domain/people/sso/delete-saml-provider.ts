import { z } from 'zod';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { authorizeDeletion, endProvider } from './end-provider.ts';
import { organizationOfProvider } from './settings.ts';

export const deleteSamlProvider = command({
  name: 'deleteSamlProvider',
  scope: 'admin',
  description:
    'Deletes a SAML provider. Sessions and access tokens that were made with it end within five seconds. Members remain, as guests if the provider gave their role, and are removed from teams that it added them to. If they later sign in with another provider, they are asked to prove their account, or get a new one. CONFLICT if the organization requires SSO and has no other active provider, or if no admin would be left.',
  input: z.object({
    samlProviderId: idOf('saml'),
    organizationId: organizationOfProvider,
  }),
  versioned: 'samlProviderId',
  authorize: (ctx, { samlProviderId: id = '', organizationId }) =>
    authorizeDeletion(ctx, { id, protocol: 'saml', organizationId }),
  async run(ctx, { samlProviderId: id, organizationId: inOrganization }) {
    const provider = await endProvider(ctx, { id, protocol: 'saml', organizationId: inOrganization });
    if (!provider) return { deletedId: null, organizationId: null };
    const { organizationId } = provider;
    await recordEvent(ctx, { kind: 'saml_provider_deleted', organizationId, ids: { samlProviderId: id } });
    return { deletedId: id, organizationId };
  },
});
