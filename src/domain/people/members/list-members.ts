import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { containsText } from '../../../platform/database/contains-text.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { listing, type OrderPart } from '../../../platform/paging/listing.ts';
import { orderDirection } from '../../../platform/paging/order-direction.ts';
import { textOf } from '../../../platform/text.ts';
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

function passes({ field, role, search }: Choice): RawBuilder<unknown> {
  const isRole = role === 'guest' ? sql`and m.role is null` : sql`and m.role = ${role}`;
  return sql`
    ${role === null ? sql`` : isRole}
    ${field === 'lastSeenAt' ? sql`and m.last_seen_at is not null` : sql``}
    ${search === null ? sql`` : sql`and (${containsText(sql`u.display_name`, search)} or ${containsText(sql`u.email`, search)} or ${containsText(sql`m.email`, search)})`}`;
}

/** The members of an organization, disabled ones included. Does not check access. */
export const membersOfOrganization = listing<Choice, MemberRow>({
  name: 'organization.members',
  select: sql`m.*`,
  from: (organizationId, choice) => sql`
    from membership m ${choice.search === null ? sql`` : sql`join "user" u on u.id = m.user_id`}
    where m.organization_id = ${organizationId} ${passes(choice)}`,
  order: ({ field, direction }): OrderPart<MemberRow>[] => [
    { by: field === 'joinedAt' ? sql`m.joined_at` : sql`m.last_seen_at`, key: field, direction, type: 'timestamptz' },
    { by: sql`m.id`, key: 'id', direction, type: 'text' },
  ],
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
