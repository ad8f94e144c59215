import { hashOf } from '../../../lib/canonical.ts';
import type { Use } from '../../../lib/document/uses.ts';
import { conditionHolds } from '../../../lib/expression/condition.ts';
import type { ExpressionScope } from '../../../lib/expression/expression.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Context } from '../../../platform/context/context.ts';
import { expressionScope, type Variables } from './expression-scope.ts';
import type { UsedContent } from './load-used-content.ts';

type Ids = Record<Use['kind'], Set<string>>;

/** Uses of a page, or of a reusable content on a page. */
interface Step {
  place: UsedContent;
  uses: readonly Use[];
}

/** Objects of a space that the pages of the places use, directly or through reusable contents of any of the places. */
export async function followUses(ctx: Context, spaceId: string, places: readonly UsedContent[]): Promise<Ids> {
  const ids: Ids = {
    file: new Set(),
    'reusable-content': new Set(),
    tag: new Set(),
    openapi: new Set(),
    variable: new Set(),
  };
  const bySpace = new Map(places.map((place) => [place.revision.spaceId, place]));
  const pause = makeYielder();
  // What is remembered of pages with the same variables is dropped before the next ones.
  for (const { variables, steps } of await stepsByVariables(places)) {
    const followed = new Set<string>();
    const isMet = conditionsOn(ctx, variables);
    // Grows by the reusable contents that are used. A copy, since the groups of pages stay in memory until the end.
    const queue = [...steps];
    for (const { place, uses } of queue) {
      await pause();
      for (const use of uses) {
        if (use.conditions && !(await isMet(place, use.conditions))) continue;
        const at = use.space ?? place.revision.spaceId;
        // Specifications belong to the organization.
        if (at === spaceId || use.kind === 'openapi') ids[use.kind].add(use.id);
        const content = use.kind === 'reusable-content' ? bySpace.get(at) : undefined;
        const key = `${at}/${use.id}`;
        if (!content || followed.has(key)) continue;
        followed.add(key);
        queue.push({ place: content, uses: content.contents.get(use.id) ?? [] });
      }
    }
  }
  return ids;
}

interface StepsOfVariables {
  variables: Variables;
  steps: Step[];
}

/** The pages of all places, grouped by their variables. Most pages have none, so that most are in one group. */
async function stepsByVariables(places: readonly UsedContent[]): Promise<Iterable<StepsOfVariables>> {
  const groups = new Map<string, StepsOfVariables>();
  const pause = makeYielder();
  for (const place of places) {
    for (const { uses, variables } of place.pages) {
      await pause();
      // Not the variables themselves, which can have many kilobytes.
      const key = hashOf(variables);
      const group = groups.get(key) ?? { variables, steps: [] };
      groups.set(key, group);
      group.steps.push({ place, uses });
    }
  }
  return groups.values();
}

interface ConditionsOfPlace {
  scope: ExpressionScope;
  outcomes: Map<string, boolean>;
}

/** Whether all conditions hold in a body of a place, on pages with these variables. Each is evaluated once. */
function conditionsOn(ctx: Context, variables: Variables) {
  const bySpace = new Map<string, ConditionsOfPlace>();
  return async ({ revision }: UsedContent, conditions: readonly string[]): Promise<boolean> => {
    const known = bySpace.get(revision.spaceId);
    const { scope, outcomes } = known ?? {
      scope: await expressionScope(ctx, 'true', revision, variables),
      outcomes: new Map(),
    };
    if (!known) bySpace.set(revision.spaceId, { scope, outcomes });
    for (const condition of conditions) {
      const holds = outcomes.get(condition) ?? conditionHolds(condition, scope);
      outcomes.set(condition, holds);
      if (!holds) return false;
    }
    return true;
  };
}
