import { JSON_LIMITS } from '../http/limits/json-scan.ts';
import { MAX_ERRORS } from './prepare-document.ts';

/** Maximum size of all printed errors in characters. Each error may print its value. */
const MAX_PRINTED = 200_000;
/** Size of a property or item besides its text, in characters. */
const VALUE_WEIGHT = 10;

/** Size of variables, or the limit that they exceed. */
type Measured = { characters: number } | { excess: string };

/** Describes the limit that variables exceed, before coercion. Undefined if they exceed none. */
export function excessOfVariables(variables: Record<string, unknown>): string | undefined {
  const measured = measure(variables);
  return 'excess' in measured ? measured.excess : undefined;
}

/** Maximum number of errors of coercion, so that printing the values takes bounded time. */
export function maxErrorsOf(variables: Record<string, unknown>): number {
  const measured = measure(variables);
  if ('excess' in measured) return 1;
  return Math.max(1, Math.min(MAX_ERRORS, Math.floor(MAX_PRINTED / measured.characters)));
}

/** Visits all properties and items once, without recursion. */
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
        if (values > JSON_LIMITS.values)
          return { excess: `at most ${JSON_LIMITS.values} properties and items in total` };
        if (typeof value === 'object' && value !== null) next.push(value);
      }
    }
    level = next;
  }
  return { characters };
}
