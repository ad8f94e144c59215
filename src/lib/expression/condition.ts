import { type EvaluationResult, evaluate } from './evaluate.ts';
import type { ExpressionScope } from './expression.ts';
import { parseExpression } from './parse.ts';

/**
 * The syntax error of a condition, for an API error; undefined if it is valid. A blank condition is valid and always holds.
 */
export function conditionFault(source: string): string | undefined {
  if (source.trim() === '') return undefined;
  const parsed = parseExpression(source);
  return 'fault' in parsed ? parsed.fault : undefined;
}

/**
 * Whether a condition holds, which means that its value is truthy. A condition that cannot be evaluated does not hold, so
 * that its content stays hidden. A blank one holds.
 */
export function conditionHolds(source: string, scope: ExpressionScope): boolean {
  if (source.trim() === '') return true;
  const outcome = evaluateSource(source, scope);
  return 'value' in outcome && Boolean(outcome.value);
}

/** Parses and evaluates an expression. A syntax error makes its value unknown. */
export function evaluateSource(source: string, scope: ExpressionScope): EvaluationResult {
  const parsed = parseExpression(source);
  return 'fault' in parsed ? { unknown: parsed.fault } : evaluate(parsed.expression, scope);
}
