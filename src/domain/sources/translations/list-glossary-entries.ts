import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { translationLanguage } from '../../places/spaces/index.ts';
import { readsGlossary } from './glossary-access.ts';
import type { GlossaryRow } from './glossary-resources.ts';

export const entriesOfOrganization = listing<{ orderBy: string | null }, GlossaryRow & { term: string }>({
  name: 'organization.glossaryEntries',
  select: sql`g.*`,
  from: (organizationId, { orderBy }) => sql`
    from (select e.*, coalesce(e.translations ->> ${orderBy ?? ''}, '') as term from glossary_entry e) g
    where g.organization_id = ${organizationId}`,
  order: ({ orderBy }) => [
    ...(orderBy === null
      ? [{ by: sql`g.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' } as const]
      : [{ by: sql`g.term`, key: 'term', direction: 'asc', type: 'text' } as const]),
    { by: sql`g.id`, key: 'id', direction: orderBy === null ? 'desc' : 'asc', type: 'text' },
  ],
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
    await readsGlossary(ctx, organizationId);
    return entriesOfOrganization(ctx, organizationId, { orderBy });
  },
});
