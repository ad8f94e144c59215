import { sql } from 'kysely';
import { z } from 'zod';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { containsText } from '../../../platform/database/conditions.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import { orderedBy, orderInput } from '../../../platform/paging/order-by.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { accessInOrganization, notVisibleError } from '../access/index.ts';
import { teamOrderField } from './enums.ts';
import type { TeamRow } from './load.ts';

export const titleFilter = multilineText(0, 64)
  .nullish()
  .describe('Only teams whose name contains this text, ignoring case.');

const choiceInput = {
  owner: idOf('user')
    .nullish()
    .describe('Only teams that this user can manage: as an owner of the team, or as an admin of the organization.'),
  title: titleFilter,
  search: multilineText(0, 256).nullish().describe('Only teams whose name contains this text, ignoring case.'),
  orderBy: orderInput('TeamOrder', 'Sort order of teams.', teamOrderField)
    .nullish()
    .describe('Sort order. Default: by name.'),
};

type ChoiceInput = { [Name in keyof typeof choiceInput]?: z.output<(typeof choiceInput)[Name]> };

/** A team with its sort key. */
export type ListedTeam = TeamRow & { titleKey: string };

export const teamListOptions = ({ owner, title, search, orderBy }: ChoiceInput) => ({
  owner: owner ?? null,
  title: title ? title.toLowerCase() : null,
  ...(search && { search: search.toLowerCase() }),
  ...(orderBy && { orderBy }),
});

export const isTitled = (title: string | null) => title !== null && containsText(sql`t.title`, title);

const isManagedBy = (userId: string) => sql`(
  exists (select from team_member tm where tm.team_id = t.id and tm.user_id = ${userId} and tm.role = 'owner')
  or exists (
    select from membership m
    where m.organization_id = t.organization_id and m.user_id = ${userId} and m.role = 'admin' and not m.is_disabled))`;

const orderOf = ({ field, direction }: NonNullable<ChoiceInput['orderBy']>) =>
  field === 'title'
    ? orderedBy({ key: 'titleKey', type: 'text', by: sql`lower(t.title)` }, direction)
    : orderedBy({ key: field, type: 'timestamptz' }, direction);

export const byTitle = [asc('titleKey', 'text', sql`lower(t.title)`), asc('id')];

/** The teams of an organization, by name unless an order is given. Does not check access. */
export const teamsOfOrganization = listing<ReturnType<typeof teamListOptions>, ListedTeam>({
  name: 'organization.teams',
  from: 'team as t',
  select: sql`t.*, lower(t.title) as title_key`,
  parent: 'organizationId',
  where: ({ owner, title, search = null }) => [owner !== null && isManagedBy(owner), isTitled(title), isTitled(search)],
  order: ({ orderBy }) => (orderBy ? orderOf(orderBy) : byTitle),
});

/** Throws unless the caller can list the teams of the organization, which guests cannot. Batched. */
export async function listsTeams(ctx: Context, organizationId: string): Promise<void> {
  const access = await accessInOrganization(ctx, organizationId);
  if (!access) throw notVisibleError(ctx, 'organization', organizationId);
  if (!atLeast(access.role, 'read')) throw forbidden('Guests cannot list the teams of an organization.');
}

export const listTeams = query({
  name: 'listTeams',
  description: 'Lists the teams of an organization, by default ordered by name. Guests cannot list them.',
  input: z.object({ organizationId: idOf('org'), ...choiceInput }),
  authorize: (ctx, { organizationId = '' }) => listsTeams(ctx, organizationId),
  async run(ctx, { organizationId, ...input }) {
    await listsTeams(ctx, organizationId);
    return teamsOfOrganization(ctx, organizationId, teamListOptions(input));
  },
});
