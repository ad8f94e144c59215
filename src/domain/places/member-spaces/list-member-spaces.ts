import { sql } from 'kysely';
import { z } from 'zod';
import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { sortBy } from '../../../platform/paging/order.ts';
import { orderDirection } from '../../../platform/paging/order-by.ts';
import { conditionsInSql, organizationFor, permissions, roleOfUser } from '../../people/access/index.ts';
import { memberFor } from '../../people/members/index.ts';

const needed = permissions.listMemberSpaces.organization;

/** A space with the role of a member on it. */
export type MemberSpaceRow = Row<'space'> & { permission: Exclude<Role, 'none'> };

interface Choice {
  direction: z.output<typeof orderDirection>;
}

const direction = orderDirection.nullish().describe('Order by time of creation. Default: newest first.');

/**
 * The spaces that a member can read through a role and that the caller can see, by id of the membership. Walks the
 * tables for each space, so that the spaces of all members of a page are read in one statement.
 */
const spaces = listing<Choice, MemberSpaceRow>({
  name: 'member.spaces',
  from: sql`membership mb join lateral (
    select sp.*, ${roleOfUser.space(sql.ref('mb.user_id'), 'sp')} as permission
    from space sp where sp.organization_id = mb.organization_id and sp.deleted_at is null
  ) s on s.permission >= 'read'`,
  select: sql`s.*`,
  parent: 'mb.id',
  where: (_choice, { ctx }) => [conditionsInSql(ctx).listed('s')],
  order: ({ direction: by }) => [
    sortBy('createdAt', by, 'timestamptz', 's.createdAt'),
    sortBy('id', by, 'text', 's.id'),
  ],
});

/** The spaces of a member. Does not check access to the member. */
export const spacesOfMember = (
  ctx: Context,
  memberId: string,
  options: { order?: Choice['direction'] | null | undefined },
) => spaces(ctx, memberId, { direction: options.order ?? 'desc' });

export const listMemberSpaces = query({
  name: 'listMemberSpaces',
  description:
    'Lists the spaces of an organization that a member can read through a role, with that role, newest first. Spaces that ' +
    'you cannot see are left out.',
  input: z.object({ organizationId: idOf('org'), userId: idOf('user'), order: direction }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, userId, order }) {
    const { id } = await memberFor(ctx, { organizationId, userId });
    return spacesOfMember(ctx, id, { order });
  },
});
