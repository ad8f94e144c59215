import { conditionHolds, evaluateSource } from '../expression/condition.ts';
import type { EvaluationResult } from '../expression/evaluate.ts';
import type { ExpressionScope } from '../expression/expression.ts';
import { textNode } from './build.ts';
import type { AnyNode, InlineOf, JSONDocument } from './document.ts';
import { mapChildren } from './map-children.ts';
import { walk } from './walk.ts';

/** Number of UTF-16 units that values may add to a document. Further expressions are not replaced. */
const MAX_ADDED = 1_000_000;

/**
 * Replaces expressions with their values, and `if` blocks with their content or nothing. Expressions that cannot be
 * evaluated, or whose value cannot be shown, stay. Returns the document itself if nothing was replaced.
 */
export function evaluateDocument(document: JSONDocument, scope: ExpressionScope): JSONDocument {
  const outcomes = new Map<string, EvaluationResult>();
  let room = MAX_ADDED;

  const outcomeOf = (source: string): EvaluationResult => {
    const outcome = outcomes.get(source) ?? evaluateSource(source, scope);
    outcomes.set(source, outcome);
    return outcome;
  };
  const replaceExpression = (node: InlineOf<'expression'>): AnyNode => {
    const value = shownValue(outcomeOf(node.data.expression));
    if (value === undefined || value.length > room) return node;
    room -= value.length;
    return { ...textNode(value), ...(node.key !== undefined && { key: node.key }) };
  };
  const replace = (node: AnyNode): AnyNode[] => {
    if (node.object === 'inline' && node.type === 'expression') return [replaceExpression(node)];
    if (node.object !== 'block' || node.type !== 'if') return [mapChildren(node, replace)];
    const outcome = outcomeOf(node.data.expression);
    if ('unknown' in outcome) return [mapChildren(node, replace)];
    return outcome.value ? node.nodes.flatMap(replace) : [];
  };
  return mapChildren(document, replace);
}

/**
 * Replaces `if` blocks with their content, or with nothing if the condition does not hold or cannot be evaluated. For
 * readers who must not receive hidden content. Returns the document itself if it has no such block.
 */
export function withoutHidden(document: JSONDocument, scope: ExpressionScope): JSONDocument {
  const replace = (node: AnyNode): AnyNode[] => {
    if (node.object !== 'block' || node.type !== 'if') return [mapChildren(node, replace)];
    return conditionHolds(node.data.expression, scope) ? node.nodes.flatMap(replace) : [];
  };
  return mapChildren(document, replace);
}

/** Documents that were looked through, which do not change. */
const conditional = new WeakMap<JSONDocument, boolean>();

/** Whether a document has `if` blocks. */
export function isConditional(document: JSONDocument): boolean {
  const cached = conditional.get(document);
  if (cached !== undefined) return cached;
  let hasCondition = false;
  walk(document, (node) => {
    if (node.object === 'block' && node.type === 'if') hasCondition = true;
  });
  conditional.set(document, hasCondition);
  return hasCondition;
}

/** A value as readers see it. Arrays, objects and missing values cannot be shown. */
function shownValue(outcome: EvaluationResult): string | undefined {
  if ('unknown' in outcome) return undefined;
  const { value } = outcome;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}
