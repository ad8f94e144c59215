import { userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { badInput, forbidden, notFound } from '../../../platform/errors/errors.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import {
  accessInOrganization,
  decideBeforeLocks,
  lockAccess,
  notVisibleError,
  organizationBlockedError,
  organizationFor,
} from '../access/index.ts';
import { Team } from './entity.ts';
import { loadTeam, ownsTeam, type TeamRow } from './load.ts';

/** The input by which operations identify a team. REST paths contain the organization as well. */
export const teamName = {
  teamId: idOf('team'),
  organizationId: idOf('org').nullish().describe('ID of the organization that the team must belong to.'),
};

export interface TeamName {
  teamId: string;
  organizationId?: string | null | undefined;
}

/** Converts the ids of an invalid input. */
export const teamNameOf = ({ teamId = '', organizationId }: Record<string, string>): TeamName => ({
  teamId,
  organizationId: organizationId || null,
});

/** The team, if the caller has a role in its organization or belongs to the team. Otherwise NOT_FOUND. */
export async function teamFor(ctx: Context, { teamId, organizationId }: TeamName): Promise<TeamRow> {
  await rejectHiddenOrganization(ctx, organizationId);
  const team = await loadTeam(ctx, teamId);
  if (!team || (organizationId && team.organizationId !== organizationId)) throw notFound('team', teamId);
  return team;
}

/** NOT_FOUND unless the caller is a member of the organization, if there is one. */
export async function rejectHiddenOrganization(ctx: Context, organizationId: string | null | undefined): Promise<void> {
  if (organizationId && !(await accessInOrganization(ctx, organizationId)))
    throw notVisibleError(ctx, 'organization', organizationId);
}

/**
 * Returns the team as a locked entity, and locks the access of its organization, for commands that change its title or
 * members. Requires being an owner of the team or an admin of the organization; `byAdmin` the latter.
 */
export async function teamForChange(
  ctx: Context,
  name: TeamName,
  { byAdmin = false }: { byAdmin?: boolean } = {},
): Promise<TeamRow> {
  const { id } = await decideBeforeLocks(ctx, async (deciding) => {
    const found = await teamFor(deciding, name);
    await lockAccess(deciding, found.organizationId);
    const organization = await organizationFor(deciding, found.organizationId, byAdmin ? 'admin' : 'member');
    // A new context, since access can have changed before it was locked.
    const mayChange = organization.role === 'admin' || (await ownsTeam({ ...deciding }, found.id));
    if (!mayChange)
      throw forbidden('This operation requires being an owner of the team or an admin of the organization.');
    if (organization.blocked) throw organizationBlockedError(organization.blocked.reason);
    return found;
  });
  const team = await lockEntity(ctx, Team, { id });
  if (!team) throw notFound('team', id);
  return team;
}

/** BAD_USER_INPUT unless all users are members of the organization. `path` is the path of their ids in the input. */
export async function rejectNonMembers(
  { db }: Context,
  organizationId: string,
  userIds: readonly string[],
  path: (index: number) => (string | number)[],
): Promise<void> {
  if (userIds.length === 0) return;
  const rows = await db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', anyOf(userIds))
    .select('userId')
    .execute();
  const members = new Set(rows.map(({ userId }) => userId));
  const stranger = userIds.findIndex((userId) => !members.has(userId));
  if (stranger >= 0)
    throw badInput(path(stranger), `"${userIds[stranger]}" is not a member of this organization.`, 'NOT_FOUND');
}

/** Id of the caller, who is a user. */
export const callerId = ({ actor }: Context) => userIdOf(actor) ?? '';
