import { sql } from 'kysely';
import { z } from 'zod';
import { onlySpacesOf, requireUserId } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { isWithin, type OrganizationRow, organizationSeenBy } from '../access/index.ts';

type Organization = OrganizationRow & { titleKey: string };

/** The organizations of a user by title, ignoring case. */
const organizationsOfUser = listing<object, Organization>({
  name: 'user.organizations',
  from: 'organization as o',
  join: sql`join membership m on m.organization_id = o.id`,
  select: sql`o.*, lower(o.title) as title_key`,
  parent: 'm.userId',
  where: (_args, { ctx }) => [isWithin(ctx.actor, 'm')],
  order: [asc('titleKey', 'text', sql`lower(o.title)`), asc('id')],
});

/** The list as an application that is limited to spaces sees it. */
const asSeen = ({ actor }: Context, listed: Listed<Organization>): Listed<Organization> => ({
  ...listed,
  async page(paging) {
    const page = await listed.page(paging);
    return { ...page, rows: page.rows.map((row) => organizationSeenBy(actor, row)) };
  },
});

export const listOrganizations = query({
  name: 'listOrganizations',
  description:
    'Lists the organizations that you are a member of, ordered by title. Those that require SSO are left out unless you have signed in with it, and so are those that an application is not limited to. An application that is limited to spaces sees the titles of their organizations, and no settings.',
  input: z.object({}),
  async run(ctx) {
    const listed = organizationsOfUser(ctx, requireUserId(ctx.actor), {});
    return onlySpacesOf(ctx.actor) === undefined ? listed : asSeen(ctx, listed);
  },
});
