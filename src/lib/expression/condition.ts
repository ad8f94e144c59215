import { evaluate, type Outcome } from './evaluate.ts';
import type { Scope } from './expression.ts';
import { parseExpression } from './parse.ts';

/**
 * What is wrong with a condition that somebody wrote, for the apiError (decisions 2.8: one that does not parse is 400). A
 * blank one is none and always holds.
 */
export function conditionFault(source: string): string | undefined {
  if (source.trim() === '') return undefined;
  const parsed = parseExpression(source);
  return 'fault' in parsed ? parsed.fault : undefined;
}

/**
 * Whether a condition holds: its value counts as true in JavaScript. One that cannot be evaluated does not hold, which
 * hides what it stands on; a blank one does.
 */
export function conditionHolds(source: string, scope: Scope): boolean {
  if (source.trim() === '') return true;
  const outcome = evaluateSource(source, scope);
  return 'value' in outcome && Boolean(outcome.value);
}

/** Parses and evaluates at once; what does not parse cannot be evaluated. */
export function evaluateSource(source: string, scope: Scope): Outcome {
  const parsed = parseExpression(source);
  return 'fault' in parsed ? { unknown: parsed.fault } : evaluate(parsed.expression, scope);
}
