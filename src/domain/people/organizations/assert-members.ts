import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { rulesOf, type SpaceMergeRules } from './merge-rules.ts';

/** Throws if merge rules name users who are not members of the organization. `path` is their path in the input. */
export async function assertMembers(
  ctx: Context,
  organizationId: string,
  mergeRules: SpaceMergeRules,
  path: string[],
): Promise<void> {
  const memberIds = await membersAmong(ctx, organizationId, usersIn(mergeRules));
  for (const [index, rule] of rulesOf(mergeRules).entries()) {
    const stranger = 'users' in rule && rule.users.find((userId) => !memberIds.has(userId));
    if (stranger === undefined || stranger === false) continue;
    const place = [...path, 'rules', index, 'userIds'];
    throw badInput(place, `"${stranger}" is not a member of this organization.`, 'NOT_FOUND');
  }
}

/** The users that merge rules name. */
export const usersIn = (mergeRules: SpaceMergeRules): string[] =>
  rulesOf(mergeRules).flatMap((rule) => ('users' in rule ? rule.users : []));

/** Those of the users who are members of the organization, guests and disabled members included. */
export async function membersAmong(
  { db }: Context,
  organizationId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const members = await db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', anyOf(userIds))
    .select('userId')
    .execute();
  return new Set(members.map(({ userId }) => userId));
}
