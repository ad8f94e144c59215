import { sql } from 'kysely';
import { z } from 'zod';
import { onlySpacesOf } from '../../../platform/access/actor.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { organizationFor, organizationLists, permissions } from '../../people/access/index.ts';
import { SELECTED, type TranslationRow } from './access.ts';

const needed = permissions.listTranslations.organization;

export const translationsOfOrganization = listing<object, TranslationRow>({
  name: 'organization.translations',
  from: 'translation as t',
  join: sql`join space s on s.id = t.space_id and s.organization_id = t.organization_id`,
  select: SELECTED,
  parent: 'organizationId',
  where: (_args, { ctx }) => [onlySpacesOf(ctx.actor) !== undefined && sql`false`],
  order: newestFirst,
  access: organizationLists({ space: 's', role: permissions.getTranslation.space }),
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
