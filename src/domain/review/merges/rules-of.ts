import { actingIdOf, onlySpacesOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import { type ChangeRequestRow, isOutdated } from '../../content/change-requests/index.ts';
import { type MergeRules, rulesOf } from '../../people/organizations/index.ts';
import { loadUser } from '../../people/users/index.ts';
import { verdictsOn } from '../reviews/index.ts';
import { type UnmetRule, unmetRules } from './unmet-rules.ts';

/**
 * The merge rules that a change request does not meet if the caller merges it now. Batched. Does not check access. An
 * application that is limited to spaces does not see those of the organization.
 */
export async function unmetRulesOf(ctx: Context, changeRequest: ChangeRequestRow): Promise<UnmetRule[]> {
  const effective = await loadRules(ctx, changeRequest.spaceId);
  const rules = rulesOf(effective?.rules ?? { type: 'none' });
  if (rules.length === 0) return [];
  const [verdicts, outdated] = await Promise.all([verdictsOn(ctx, changeRequest.id), isOutdated(ctx, changeRequest)]);
  const people = new Set([
    ...rules.flatMap((rule) => ('users' in rule ? rule.users : [])),
    ...verdicts.map(({ reviewerId }) => reviewerId),
  ]);
  const users = await Promise.all([...people].map((userId) => loadUser(ctx, userId)));
  const names = new Map(users.flatMap((user) => (user ? [[user.id, user.displayName] as const] : [])));
  const seesRules = onlySpacesOf(ctx.actor) === undefined || effective?.isInherited === false;
  return unmetRules(rules, { changeRequest, outdated, verdicts, actorId: actingIdOf(ctx.actor), names, seesRules });
}

/** Effective merge rules of spaces: their own or, if they inherit, those of the organization. */
const loadRules = sharedLoader<{ rules: MergeRules; isInherited: boolean }>('merge-rules', async (db, spaceIds) => {
  const rows = await db
    .selectFrom('space as s')
    .innerJoin('organization as o', 'o.id', 's.organizationId')
    .where('s.id', '=', anyOf(spaceIds))
    .select(['s.id', 's.mergeRules as ownRules', 'o.mergeRules as inheritedRules'])
    .execute();
  return new Map(
    rows.map(({ id, ownRules, inheritedRules }) => {
      const isInherited = ownRules.type === 'inherit';
      return [id, { rules: isInherited ? inheritedRules : ownRules, isInherited }];
    }),
  );
});
