import { actingIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import { type ChangeRequestRow, isOutdated } from '../../content/change-requests/index.ts';
import { type MergeRules, rulesOf } from '../../people/organizations/index.ts';
import { loadUser } from '../../people/users/index.ts';
import { verdictsOn } from '../reviews/index.ts';
import { type UnmetRule, unmetRules } from './unmet-rules.ts';

/** The merge rules that a change request does not meet if the caller merges it now. Batched. Does not check access. */
export async function unmetRulesOf(ctx: Context, changeRequest: ChangeRequestRow): Promise<UnmetRule[]> {
  const rules = rulesOf((await loadRules(ctx, changeRequest.spaceId)) ?? { type: 'none' });
  if (rules.length === 0) return [];
  const [verdicts, outdated] = await Promise.all([verdictsOn(ctx, changeRequest.id), isOutdated(ctx, changeRequest)]);
  const people = new Set([
    ...rules.flatMap((rule) => ('users' in rule ? rule.users : [])),
    ...verdicts.map(({ reviewerId }) => reviewerId),
  ]);
  const users = await Promise.all([...people].map((userId) => loadUser(ctx, userId)));
  const names = new Map(users.flatMap((user) => (user ? [[user.id, user.displayName] as const] : [])));
  return unmetRules(rules, { changeRequest, outdated, verdicts, actorId: actingIdOf(ctx.actor), names });
}

/** Effective merge rules of spaces: their own or, if they inherit, those of the organization. */
const loadRules = sharedLoader<MergeRules>('merge-rules', async (db, spaceIds) => {
  const rows = await db
    .selectFrom('space as s')
    .innerJoin('organization as o', 'o.id', 's.organizationId')
    .where('s.id', '=', anyOf(spaceIds))
    .select(['s.id', 's.mergeRules as own', 'o.mergeRules as inherited'])
    .execute();
  return new Map(rows.map(({ id, own, inherited }) => [id, own.type === 'inherit' ? inherited : own]));
});
