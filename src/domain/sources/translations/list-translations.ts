import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { inOrganizations, type ListConditions, organizationFor, permissions } from '../../people/access/index.ts';
import { SELECTED, type TranslationRow } from './access.ts';

const needed = permissions.listTranslations.organization;

export const translationsOfOrganization = listing<object, TranslationRow, ListConditions>({
  name: 'organization.translations',
  select: SELECTED,
  around: inOrganizations,
  from: (organizationId, _filters, _ctx, _bounded, conditions) => sql`
    from translation t join space s on s.id = t.space_id
    where t.organization_id = ${organizationId} and s.organization_id = t.organization_id and s.deleted_at is null
      and ${conditions.space('s', permissions.getTranslation.space)}`,
  order: () => [
    { by: sql`t.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`t.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

export const listTranslations = query({
  name: 'listTranslations',
  description: 'Lists the translations of an organization whose source you can read, newest first.',
  input: z.object({ organizationId: idOf('org') }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId }) {
    await organizationFor(ctx, organizationId, needed);
    return translationsOfOrganization(ctx, organizationId, {});
  },
});
