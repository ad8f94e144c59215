import { z } from 'zod';
import { idOf, query } from '../../../../platform/operation/operation.ts';
import { providerFor } from '../access.ts';
import { organizationOfProvider } from '../settings.ts';

export const getOidcProvider = query({
  name: 'getOidcProvider',
  description: 'Gets an OIDC provider. Only for admins of the organization.',
  input: z.object({
    oidcProviderId: idOf('oidc'),
    organizationId: organizationOfProvider,
  }),
  authorize: (ctx, { oidcProviderId: id = '', organizationId }) =>
    providerFor(ctx, { id, protocol: 'oidc', organizationId: organizationId || null }),
  run: (ctx, { oidcProviderId: id, organizationId }) => providerFor(ctx, { id, protocol: 'oidc', organizationId }),
});
