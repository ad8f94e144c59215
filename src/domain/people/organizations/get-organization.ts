import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { noOrganizationAccessError } from '../access/index.ts';
import { loadOrganization } from './load.ts';

export const getOrganization = query({
  name: 'getOrganization',
  description: 'Gets an organization that you are a member of.',
  input: z.object({ organizationId: idOf('org') }),
  async run(ctx, { organizationId }) {
    // The loader only finds organizations of the caller, so that no further check is needed.
    const organization = await loadOrganization(ctx, organizationId);
    if (!organization) throw await noOrganizationAccessError(ctx, organizationId);
    return organization;
  },
});
