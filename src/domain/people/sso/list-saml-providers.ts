import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { oldestFirst } from '../../../platform/paging/order.ts';
import { assertAdmin } from '../access/index.ts';
import type { ProviderRow } from './access.ts';

const providersOfOrganization = listing<object, ProviderRow>({
  name: 'organization.samlProviders',
  from: 'saml_provider as sp',
  parent: 'organizationId',
  where: [sql`sp.protocol = 'saml'`],
  order: oldestFirst,
});

export const listSamlProviders = query({
  name: 'listSamlProviders',
  description: 'Lists the SAML providers of an organization, oldest first. Only for admins of the organization.',
  input: z.object({ organizationId: idOf('org') }),
  authorize: (ctx, { organizationId = '' }) => assertAdmin(ctx, organizationId),
  async run(ctx, { organizationId }) {
    await assertAdmin(ctx, organizationId);
    return providersOfOrganization(ctx, organizationId, {});
  },
});
