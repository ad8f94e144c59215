import { JSON_LIMITS } from '../json-limits.ts';
import { MAX_ERRORS } from './prepare-document.ts';

/** Coercion prints what is wrong with each error, so that large values get few errors. In characters. */
const MAX_PRINTED = 200_000;
/** What a member or item is reckoned as beside its text. */
const VALUE_WEIGHT = 10;

/** How large variables are, or what they have too much of. */
type Measured = { characters: number } | { excess: string };

/** Says what variables have too much of, before anything looks at their types. Transports may bound less than this. */
export function excessOfVariables(variables: Record<string, unknown>): string | undefined {
  const measured = measure(variables);
  return 'excess' in measured ? measured.excess : undefined;
}

/** After how many errors the coercion of variables is to end: printing the values then takes bounded time. */
export function maxErrorsOf(variables: Record<string, unknown>): number {
  const measured = measure(variables);
  if ('excess' in measured) return 1;
  return Math.max(1, Math.min(MAX_ERRORS, Math.floor(MAX_PRINTED / measured.characters)));
}

/** One pass over all members and items, without recursion. */
function measure(variables: Record<string, unknown>): Measured {
  let characters = 0;
  let values = 0;
  let level: object[] = [variables];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > JSON_LIMITS.depth) return { excess: `nested at most ${JSON_LIMITS.depth} levels deep` };
    const next: object[] = [];
    for (const container of level) {
      for (const [name, value] of Object.entries(container)) {
        values++;
        characters += VALUE_WEIGHT + name.length + (typeof value === 'string' ? value.length : 0);
        if (values > JSON_LIMITS.values) return { excess: `at most ${JSON_LIMITS.values} members and items in all` };
        if (typeof value === 'object' && value !== null) next.push(value);
      }
    }
    level = next;
  }
  return { characters };
}
