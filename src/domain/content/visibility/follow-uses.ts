import type { Use } from '../../../lib/document/uses.ts';
import { conditionHolds } from '../../../lib/expression/condition.ts';
import type { Scope } from '../../../lib/expression/expression.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Place, UsingPage } from './load-place.ts';
import { scopeOf, type Variables } from './scope.ts';

type Ids = Record<Use['kind'], Set<string>>;

/** Uses of a page, or of a reusable content on a page with these variables. */
interface Step extends UsingPage {
  place: Place;
}

/** Objects of a space that the pages of the places use, directly or through reusable contents of any of the places. */
export async function followUses(ctx: Context, spaceId: string, places: readonly Place[]): Promise<Ids> {
  const ids: Ids = {
    file: new Set(),
    'reusable-content': new Set(),
    tag: new Set(),
    openapi: new Set(),
    variable: new Set(),
  };
  const bySpace = new Map(places.map((place) => [place.revision.spaceId, place]));
  const steps: Step[] = places.flatMap((place) => place.pages.map((page) => ({ ...page, place })));
  const followed = new Set<string>();
  const isMet = conditionsOn(ctx);
  const pause = makeYielder();
  // Grows by the reusable contents that are used.
  for (const { place, uses, variables } of steps) {
    await pause();
    for (const use of uses) {
      if (use.conditions && !(await isMet(place, variables, use.conditions))) continue;
      const at = use.space ?? place.revision.spaceId;
      // Specifications belong to the organization.
      if (at === spaceId || use.kind === 'openapi') ids[use.kind].add(use.id);
      const content = use.kind === 'reusable-content' ? bySpace.get(at) : undefined;
      const key = content && JSON.stringify([at, use.id, variables]);
      if (!content || !key || followed.has(key)) continue;
      followed.add(key);
      steps.push({ place: content, uses: content.contents.get(use.id) ?? [], variables });
    }
  }
  return ids;
}

/** Whether all conditions hold in a body of a place, each evaluated once for the same variables. */
function conditionsOn(ctx: Context) {
  const scopes = new Map<string, Scope>();
  const outcomes = new Map<string, boolean>();
  return async ({ revision }: Place, variables: Variables, conditions: readonly string[]): Promise<boolean> => {
    const scopeKey = JSON.stringify([revision.spaceId, variables]);
    const scope = scopes.get(scopeKey) ?? (await scopeOf(ctx, 'true', revision, variables));
    scopes.set(scopeKey, scope);
    for (const condition of conditions) {
      const key = JSON.stringify([scopeKey, condition]);
      const holds = outcomes.get(key) ?? conditionHolds(condition, scope);
      outcomes.set(key, holds);
      if (!holds) return false;
    }
    return true;
  };
}
