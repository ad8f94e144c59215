import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { oldestFirst } from '../../../platform/paging/order.ts';
import { assertAdmin } from '../access/index.ts';
import { SCIM_TOKEN_COLUMNS, type ScimTokenRow } from './load-scim-token.ts';

const tokensOfOrganization = listing<object, ScimTokenRow>({
  name: 'organization.scimTokens',
  from: 'scim_token as st',
  select: sql.join(SCIM_TOKEN_COLUMNS.map((column) => sql.ref(`st.${column}`))),
  parent: 'organizationId',
  order: oldestFirst,
});

export const listScimTokens = query({
  name: 'listScimTokens',
  description:
    'Lists the SCIM tokens of an organization including expired ones, oldest first. Their secrets are not stored. Only for admins of the organization.',
  input: z.object({ organizationId: idOf('org') }),
  authorize: (ctx, { organizationId = '' }) => assertAdmin(ctx, organizationId),
  async run(ctx, { organizationId }) {
    await assertAdmin(ctx, organizationId);
    return tokensOfOrganization(ctx, organizationId, {});
  },
});
