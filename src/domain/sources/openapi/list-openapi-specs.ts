import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { assertHasRole } from '../../people/access/index.ts';
import { SPEC_COLUMNS, type SpecRow } from './access.ts';

const specsOfOrganization = listing<object, SpecRow>({
  name: 'organization.openApiSpecs',
  from: 'openapi_spec as s',
  select: sql.join(SPEC_COLUMNS.map((column) => sql.ref(`s.${column}`))),
  parent: 'organizationId',
  order: newestFirst,
});

export const listOpenApiSpecs = query({
  name: 'listOpenApiSpecs',
  description: 'Lists the OpenAPI specifications of an organization, newest first.',
  input: z.object({ organizationId: idOf('org') }),
  async run(ctx, { organizationId }) {
    await assertHasRole(ctx, organizationId);
    return specsOfOrganization(ctx, organizationId, {});
  },
});
