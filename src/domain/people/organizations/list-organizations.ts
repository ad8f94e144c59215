import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import { isActing, type OrganizationRow } from '../access/index.ts';

type Listed = OrganizationRow & { titleKey: string };

/** The organizations of a user by title, ignoring case. */
const organizationsOfUser = listing<object, Listed>({
  name: 'user.organizations',
  from: 'organization as o',
  join: sql`join membership m on m.organization_id = o.id`,
  select: sql`o.*, lower(o.title) as title_key`,
  parent: 'm.userId',
  where: (_args, { ctx }) => [isActing(ctx.actor, 'm')],
  order: [asc('titleKey', 'text', sql`lower(o.title)`), asc('id')],
});

export const listOrganizations = query({
  name: 'listOrganizations',
  description:
    'Lists the organizations that you are a member of, ordered by title. Those that require SSO are left out unless you have signed in with it, and so are those that an application is not limited to.',
  input: z.object({}),
  run: async (ctx) => organizationsOfUser(ctx, requireUserId(ctx.actor), {}),
});
