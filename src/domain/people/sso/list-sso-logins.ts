import { z } from 'zod';
import { anyOf } from '../../../platform/database/conditions.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import { activeInSql } from '../organizations/index.ts';

/** Data about an active provider for sign-in pages. */
export interface SsoLogin {
  id: string;
  label: string;
}

/** The active providers by the id of the organization, oldest first, batched. Visible to everyone. */
const loadLogins = sharedLoader<SsoLogin[]>('sso-logins', async (db, ids) => {
  const rows = await db
    .selectFrom('saml_provider')
    .where('organizationId', '=', anyOf(ids))
    .where(activeInSql())
    .orderBy('createdAt')
    .orderBy('id')
    .select(['id', 'label', 'organizationId'])
    .execute();
  return Map.groupBy(rows, ({ organizationId }) => organizationId);
});

export const listSsoLogins = query({
  name: 'listSsoLogins',
  description:
    'Lists the active identity providers of an organization, SAML and OpenID Connect, with their start URLs, oldest first. Requires no token, because sign-in pages read it before the user has one. Empty for organizations that do not exist.',
  input: z.object({ organizationId: idOf('org') }),
  openToAnonymous: true,
  run: async (ctx, { organizationId }): Promise<SsoLogin[]> => (await loadLogins(ctx, organizationId)) ?? [],
});
