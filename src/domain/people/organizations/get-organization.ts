import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { absent } from '../access/index.ts';
import { loadOrganization } from './load.ts';

export const getOrganization = query({
  name: 'getOrganization',
  description: 'An organization by id, if you are a member of it.',
  input: z.object({ organizationId: idOf('org') }),
  async run(ctx, { organizationId }) {
    // The loader lets members through and nobody else, which is all that reading one needs.
    const organization = await loadOrganization(ctx, organizationId);
    if (!organization) throw absent(ctx, 'organization', organizationId);
    return organization;
  },
});
