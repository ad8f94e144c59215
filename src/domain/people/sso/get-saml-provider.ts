import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { providerFor } from './access.ts';

export const getSamlProvider = query({
  name: 'getSamlProvider',
  description: 'Gets a SAML provider. Only for admins of the organization.',
  input: z.object({
    samlProviderId: idOf('saml'),
    organizationId: idOf('org').nullish().describe('ID of the `Organization` of the provider. Optional.'),
  }),
  authorize: (ctx, { samlProviderId: id = '', organizationId }) =>
    providerFor(ctx, { id, protocol: 'saml', organizationId: organizationId || null }),
  run: (ctx, { samlProviderId: id, organizationId }) => providerFor(ctx, { id, protocol: 'saml', organizationId }),
});
