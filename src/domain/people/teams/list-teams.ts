import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { containsText } from '../../../platform/database/contains-text.ts';
import { forbidden } from '../../../platform/errors.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { textOf } from '../../../platform/text.ts';
import { absent, accessInOrganization } from '../access/index.ts';
import type { TeamRow } from './load.ts';

export const titleFilter = textOf(0, 64).nullish().describe('Only teams whose name contains this text, ignoring case.');

const choiceInput = {
  owner: idOf('user')
    .nullish()
    .describe('Only teams that this user can manage: as an owner of the team, or as an admin of the organization.'),
  title: titleFilter,
};

interface Choice {
  owner: string | null;
  title: string | null;
}

/** A team with its sort key. */
export type ListedTeam = TeamRow & { titleKey: string };

export const listOptions = ({
  owner,
  title,
}: {
  owner?: string | null | undefined;
  title?: string | null | undefined;
}) => ({
  owner: owner ?? null,
  title: title ? title.toLowerCase() : null,
});

export const contains = (title: string | null): RawBuilder<unknown> =>
  title === null ? sql`` : sql`and ${containsText(sql`t.title`, title)}`;

const managedBy = (userId: string | null): RawBuilder<unknown> =>
  userId === null
    ? sql``
    : sql`and (
        exists (select from team_member tm where tm.team_id = t.id and tm.user_id = ${userId} and tm.role = 'owner')
        or exists (
          select from membership m
          where m.organization_id = t.organization_id and m.user_id = ${userId} and m.role = 'admin' and not m.is_disabled))`;

export const byTitle = [
  { by: sql`lower(t.title)`, key: 'titleKey', direction: 'asc', type: 'text' },
  { by: sql`t.id`, key: 'id', direction: 'asc', type: 'text' },
] as const;

/** The teams of an organization by name, ignoring case. Does not check access. */
export const teamsOfOrganization = listing<Choice, ListedTeam>({
  name: 'organization.teams',
  select: sql`t.*, lower(t.title) as title_key`,
  from: (organizationId, { owner, title }) => sql`
    from team t where t.organization_id = ${organizationId} ${managedBy(owner)} ${contains(title)}`,
  order: () => [...byTitle],
});

/** Throws unless the caller can list the teams of the organization, which guests cannot. Batched. */
export async function listsTeams(ctx: Context, organizationId: string): Promise<void> {
  const access = await accessInOrganization(ctx, organizationId);
  if (!access) throw absent(ctx, 'organization', organizationId);
  if (!atLeast(access.role, 'read')) throw forbidden('Guests cannot list the teams of an organization.');
}

export const listTeams = query({
  name: 'listTeams',
  description: 'Lists the teams of an organization, ordered by name. Guests cannot list them.',
  input: z.object({ organizationId: idOf('org'), ...choiceInput }),
  authorize: (ctx, { organizationId = '' }) => listsTeams(ctx, organizationId),
  async run(ctx, { organizationId, ...given }) {
    await listsTeams(ctx, organizationId);
    return teamsOfOrganization(ctx, organizationId, listOptions(given));
  },
});
