import { LRUCache } from 'lru-cache';
import { type EvaluationResult, evaluate } from './evaluate.ts';
import type { ExpressionScope } from './expression.ts';
import { parseExpression } from './parse.ts';

/**
 * The syntax error of a condition, for an API error; undefined if it is valid. A blank condition is valid and always
 * holds.
 */
export function conditionFault(source: string): string | undefined {
  if (source.trim() === '') return undefined;
  const parsed = parseExpression(source);
  return 'fault' in parsed ? parsed.fault : undefined;
}

/**
 * Whether a condition holds, which means that its value is truthy. A condition that cannot be evaluated does not hold,
 * so that its content stays hidden. A blank one holds.
 */
export function conditionHolds(source: string, scope: ExpressionScope): boolean {
  if (source.trim() === '') return true;
  const outcome = evaluateSource(source, scope);
  return 'value' in outcome && Boolean(outcome.value);
}

/**
 * Parsed expressions by their source. Anonymous visitors with invented claims have the same conditions evaluated again
 * and again, and parsing takes three times as long as evaluating. Parsed, an expression takes up to 64 bytes per
 * character: at most 32 MB.
 */
const parsedExpressions = new LRUCache<string, ReturnType<typeof parseExpression>>({
  maxSize: 500_000,
  sizeCalculation: (_parsed, source) => source.length + 10,
});

/** Parses and evaluates an expression. A syntax error makes its value unknown. */
export function evaluateSource(source: string, scope: ExpressionScope): EvaluationResult {
  let parsed = parsedExpressions.get(source);
  if (!parsed) {
    parsed = parseExpression(source);
    parsedExpressions.set(source, parsed);
  }
  return 'fault' in parsed ? { unknown: parsed.fault } : evaluate(parsed.expression, scope);
}
