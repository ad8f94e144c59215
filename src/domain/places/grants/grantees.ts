import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { badInput } from '../../../platform/errors.ts';

/** Users and teams of an organization, as inputs name them. */
export interface Grantees {
  userIds: readonly string[];
  teamIds: readonly string[];
}

/** Throws BAD_USER_INPUT unless all users are members of the organization and all teams belong to it. */
export async function rejectUnknownGrantees(
  ctx: Context,
  organizationId: string,
  { userIds, teamIds }: Grantees,
): Promise<void> {
  const [members, teams] = [
    await membersAmong(ctx, organizationId, userIds),
    await teamsAmong(ctx, organizationId, teamIds),
  ];
  rejectMissing('userIds', userIds, members, 'is not a member of the organization. Invite the user first.');
  rejectMissing('teamIds', teamIds, teams, 'is not a team of the organization.');
}

function rejectMissing(name: string, ids: readonly string[], known: ReadonlySet<string>, problem: string): void {
  const index = ids.findIndex((id) => !known.has(id));
  if (index >= 0) throw badInput([name, index], `"${ids[index]}" ${problem}`);
}

/** Those of the users who are members of the organization, guests and disabled members included. */
export async function membersAmong(
  { db }: Context,
  organizationId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', anyOf(userIds))
    .select('userId')
    .execute();
  return new Set(rows.map(({ userId }) => userId));
}

/** Those of the teams that belong to the organization. */
export async function teamsAmong(
  { db }: Context,
  organizationId: string,
  teamIds: readonly string[],
): Promise<Set<string>> {
  if (teamIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('team')
    .where('organizationId', '=', organizationId)
    .where('id', '=', anyOf(teamIds))
    .select('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}
