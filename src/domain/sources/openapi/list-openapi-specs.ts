import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { readsSpecs, SPEC_COLUMNS, type SpecRow } from './access.ts';

export const specsOfOrganization = listing<object, SpecRow>({
  name: 'organization.openApiSpecs',
  select: sql.join(SPEC_COLUMNS.map((column) => sql.ref(`s.${column}`))),
  from: (organizationId) => sql`from openapi_spec s where s.organization_id = ${organizationId}`,
  order: () => [
    { by: sql`s.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`s.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

export const listOpenApiSpecs = query({
  name: 'listOpenApiSpecs',
  description: 'Lists the OpenAPI specifications of an organization, newest first.',
  input: z.object({ organizationId: idOf('org') }),
  async run(ctx, { organizationId }) {
    await readsSpecs(ctx, organizationId);
    return specsOfOrganization(ctx, organizationId, {});
  },
});
