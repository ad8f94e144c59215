import { sql } from 'kysely';
import { z } from 'zod';
import { containsText } from '../../../platform/database/contains-text.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { sorted } from '../../../platform/paging/order.ts';
import { orderDirection } from '../../../platform/paging/order-direction.ts';
import { textOf } from '../../../platform/shapes/text.ts';
import { listsMembers } from './access.ts';
import { memberOrderField, memberRoleFilter } from './enums.ts';
import type { MemberRow } from './load.ts';

const order = z
  .object({
    field: memberOrderField.describe('Field to sort by.'),
    direction: orderDirection.describe('Sort direction.'),
  })
  .meta({ inputName: 'MemberOrder', description: 'Sort order of members.' });

const choiceInput = {
  role: memberRoleFilter.nullish().describe('Only members with this role, or guests.'),
  search: textOf(0, 256)
    .nullish()
    .describe(
      'Only members whose display name or email address (`User.email` or `Member.email`) contains this text, ignoring case.',
    ),
  orderBy: order.nullish().describe('Sort order. Default: the latest to join first.'),
};

/** Normalized filters and order. Cursors are bound to them. */
interface Choice {
  field: z.output<typeof memberOrderField>;
  direction: z.output<typeof orderDirection>;
  role: z.output<typeof memberRoleFilter> | null;
  search: string | null;
}

type Given = { [Name in keyof typeof choiceInput]?: z.output<(typeof choiceInput)[Name]> };

export const listOptions = ({ role, search, orderBy }: Given): Choice => ({
  field: orderBy?.field ?? 'joinedAt',
  direction: orderBy?.direction ?? 'desc',
  role: role ?? null,
  search: search ? search.toLowerCase() : null,
});

const isNamed = (search: string) => sql`exists (
  select from "user" u where u.id = m.user_id
    and (${containsText(sql`u.display_name`, search)} or ${containsText(sql`u.email`, search)} or ${containsText(sql`m.email`, search)}))`;

/** The members of an organization, disabled ones included. Does not check access. */
export const membersOfOrganization = listing<Choice, MemberRow>({
  name: 'organization.members',
  from: 'membership as m',
  parent: 'organizationId',
  where: ({ field, role, search }) => [
    role !== null && (role === 'guest' ? sql`m.role is null` : sql`m.role = ${role}`),
    field === 'lastSeenAt' && sql`m.last_seen_at is not null`,
    search !== null && isNamed(search),
  ],
  order: ({ field, direction }) => [sorted(field, direction, 'timestamptz'), sorted('id', direction)],
});

export const listMembers = query({
  name: 'listMembers',
  description: 'Lists the members of an organization, guests and disabled members included. Guests cannot list them.',
  input: z.object({ organizationId: idOf('org'), ...choiceInput }),
  authorize: (ctx, { organizationId = '' }) => listsMembers(ctx, organizationId),
  async run(ctx, { organizationId, ...given }) {
    await listsMembers(ctx, organizationId);
    return membersOfOrganization(ctx, organizationId, listOptions(given));
  },
});
