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
  const rules = rulesOf(mergeRules);
  const named = rules.flatMap((rule) => ('users' in rule ? rule.users : []));
  if (named.length === 0) return;
  const members = await ctx.db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', anyOf(named))
    .select('userId')
    .execute();
  const memberIds = new Set(members.map(({ userId }) => userId));
  for (const [index, rule] of rules.entries()) {
    const stranger = 'users' in rule && rule.users.find((userId) => !memberIds.has(userId));
    if (stranger === undefined || stranger === false) continue;
    const place = [...path, 'rules', index, 'userIds'];
    throw badInput(place, `"${stranger}" is not a member of this organization.`, 'NOT_FOUND');
  }
}
