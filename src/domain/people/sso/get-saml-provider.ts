import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { providerFor } from './access.ts';
import { organizationOfProvider } from './settings.ts';

export const getSamlProvider = query({
  name: 'getSamlProvider',
  description: 'Gets a SAML provider. Only for admins of the organization.',
  input: z.object({
    samlProviderId: idOf('saml'),
    organizationId: organizationOfProvider,
  }),
  authorize: (ctx, { samlProviderId: id = '', organizationId }) =>
    providerFor(ctx, { id, protocol: 'saml', organizationId: organizationId || null }),
  run: (ctx, { samlProviderId: id, organizationId }) => providerFor(ctx, { id, protocol: 'saml', organizationId }),
});
