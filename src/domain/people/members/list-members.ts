import { sql } from 'kysely';
import { z } from 'zod';
import { containsText } from '../../../platform/database/conditions.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { type orderDirection, orderedBy, orderInput } from '../../../platform/paging/order-by.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { listsMembers } from './access.ts';
import { memberOrderField, memberRoleFilter } from './enums.ts';
import type { MemberRow } from './load.ts';

const order = orderInput('MemberOrder', 'Sort order of members.', memberOrderField);

const choiceInput = {
  role: memberRoleFilter.nullish().describe('Only members with this role, or guests.'),
  search: multilineText(0, 256)
    .nullish()
    .describe(
      'Only members whose display name or email address (`User.email` or `Member.email`) contains this text, ignoring case.',
    ),
  isDisabled: z.boolean().nullish().describe('Only members who are disabled, or only those who are not.'),
  orderBy: order.nullish().describe('Sort order. Default: the latest to join first.'),
};

/** Normalized filters and order. Cursors are bound to them. */
interface Choice {
  field: z.output<typeof memberOrderField>;
  direction: z.output<typeof orderDirection>;
  role: z.output<typeof memberRoleFilter> | null;
  search: string | null;
  isDisabled?: boolean;
}

type ChoiceInput = { [Name in keyof typeof choiceInput]?: z.output<(typeof choiceInput)[Name]> };

export const memberListOptions = ({ role, search, isDisabled, orderBy }: ChoiceInput): Choice => ({
  field: orderBy?.field ?? 'joinedAt',
  direction: orderBy?.direction ?? 'desc',
  role: role ?? null,
  search: search ? search.toLowerCase() : null,
  ...(isDisabled != null && { isDisabled }),
});

const isNamed = (search: string) => sql`(u.id is not null
  and (${containsText(sql`u.display_name`, search)} or ${containsText(sql`m.email`, search)}
    or m.is_accepted and ${containsText(sql`u.email`, search)}))`;

/** The members of an organization, disabled ones included. Does not check access. */
export const membersOfOrganization = listing<Choice, MemberRow & { nameKey: string }>({
  name: 'organization.members',
  from: 'membership as m',
  join: sql`left join "user" u on u.id = m.user_id`,
  select: sql`m.*, lower(coalesce(u.display_name, '')) as name_key`,
  parent: 'organizationId',
  where: ({ field, role, search, isDisabled }) => [
    role !== null && (role === 'guest' ? sql`m.role is null` : sql`m.role = ${role}`),
    field === 'lastSeenAt' && sql`m.last_seen_at is not null`,
    search !== null && isNamed(search),
    isDisabled !== undefined && sql`m.is_disabled = ${isDisabled}`,
  ],
  order: ({ field, direction }) =>
    field === 'displayName'
      ? orderedBy({ key: 'nameKey', type: 'text', by: sql`lower(coalesce(u.display_name, ''))` }, direction)
      : orderedBy({ key: field, type: 'timestamptz' }, direction),
});

export const listMembers = query({
  name: 'listMembers',
  description: 'Lists the members of an organization, guests and disabled members included. Guests cannot list them.',
  input: z.object({ organizationId: idOf('org'), ...choiceInput }),
  authorize: (ctx, { organizationId = '' }) => listsMembers(ctx, organizationId),
  async run(ctx, { organizationId, ...input }) {
    await listsMembers(ctx, organizationId);
    return membersOfOrganization(ctx, organizationId, memberListOptions(input));
  },
});
