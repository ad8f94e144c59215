import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../../platform/operation/operation.ts';
import { listing } from '../../../../platform/paging/listing.ts';
import { asc, desc } from '../../../../platform/paging/order.ts';
import { assertHasRole, organizationFor, permissions } from '../../../people/access/index.ts';
import { translationLanguage } from '../../../places/spaces/index.ts';
import type { GlossaryRow } from './glossary-resources.ts';

const entriesOfOrganization = listing<{ orderBy: string | null }, GlossaryRow & { term: string }>({
  name: 'organization.glossaryEntries',
  from: ({ orderBy }) => sql`
    (select e.*, coalesce(e.translations ->> ${orderBy ?? ''}, '') as term from glossary_entry e) g`,
  select: sql`g.*`,
  parent: 'g.organizationId',
  order: ({ orderBy }) =>
    orderBy === null
      ? [desc('createdAt', 'timestamptz', 'g.createdAt'), desc('id', 'text', 'g.id')]
      : [asc('term', 'text', 'g.term'), asc('id', 'text', 'g.id')],
});

export const listGlossaryEntries = query({
  name: 'listGlossaryEntries',
  description: 'Lists the entries of the glossary of an organization, newest first, or by their term in a language.',
  input: z.object({
    organizationId: idOf('org'),
    orderBy: translationLanguage.nullish().describe('Language whose terms determine the order. Default: newest first.'),
  }),
  authorize: (ctx, { organizationId = '' }) =>
    organizationFor(ctx, organizationId, permissions.listGlossaryEntries.organization),
  async run(ctx, { organizationId, orderBy = null }) {
    await assertHasRole(ctx, organizationId);
    return entriesOfOrganization(ctx, organizationId, { orderBy });
  },
});
