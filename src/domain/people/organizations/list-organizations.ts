import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { isActing, type OrganizationRow } from '../access/index.ts';

type Listed = OrganizationRow & { titleKey: string };

/** The organizations of a user by title, ignoring case. */
const organizationsOfUser = listing<object, Listed>({
  name: 'user.organizations',
  select: sql`o.*, lower(o.title) as title_key`,
  from: (userId, _args, { actor }) => sql`
    from membership m join organization o on o.id = m.organization_id
    where m.user_id = ${userId} and ${isActing(actor, 'm')}`,
  order: () => [
    { by: sql`lower(o.title)`, key: 'titleKey', direction: 'asc', type: 'text' },
    { by: sql`o.id`, key: 'id', direction: 'asc', type: 'text' },
  ],
});

export const listOrganizations = query({
  name: 'listOrganizations',
  description:
    'Lists the organizations that you are a member of, ordered by title. Those that require SSO are left out unless you have signed in with it.',
  input: z.object({}),
  run: async (ctx) => organizationsOfUser(ctx, requireUserId(ctx.actor), {}),
});
