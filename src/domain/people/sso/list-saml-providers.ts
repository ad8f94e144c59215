import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { administers } from '../access/index.ts';
import type { SamlProviderRow } from './access.ts';

const providersOfOrganization = listing<object, SamlProviderRow>({
  name: 'organization.samlProviders',
  select: sql`sp.*`,
  from: (organizationId) => sql`from saml_provider sp where sp.organization_id = ${organizationId}`,
  order: () => [
    { by: sql`sp.created_at`, key: 'createdAt', direction: 'asc', type: 'timestamptz' },
    { by: sql`sp.id`, key: 'id', direction: 'asc', type: 'text' },
  ],
});

export const listSamlProviders = query({
  name: 'listSamlProviders',
  description: 'Lists the SAML providers of an organization, oldest first. Only for admins of the organization.',
  input: z.object({ organizationId: idOf('org') }),
  authorize: (ctx, { organizationId = '' }) => administers(ctx, organizationId),
  async run(ctx, { organizationId }) {
    await administers(ctx, organizationId);
    return providersOfOrganization(ctx, organizationId, {});
  },
});
