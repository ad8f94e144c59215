import type { Expression } from './expression.ts';
import { parseExpression } from './parse.ts';

/**
 * Names of the variables of the space that an expression reads as `space.vars.<name>` or `space.vars['<name>']`. Names
 * that the expression computes are left out, as is everything of an expression with a syntax error.
 */
export function variablesIn(source: string): string[] {
  const parsed = parseExpression(source);
  if ('fault' in parsed) return [];
  const names = new Set<string>();
  collect(parsed.expression, names);
  return [...names];
}

function collect(expression: Expression, names: Set<string>): void {
  if (expression.kind === 'member' && isVariables(expression.of)) {
    const name = literalOf(expression.name);
    if (name !== undefined) names.add(name);
  }
  for (const part of partsOf(expression)) collect(part, names);
}

/** Whether the expression is `space.vars`. */
const isVariables = (expression: Expression): boolean =>
  expression.kind === 'member' &&
  expression.of.kind === 'name' &&
  expression.of.name === 'space' &&
  literalOf(expression.name) === 'vars';

const literalOf = (expression: Expression): string | undefined =>
  expression.kind === 'literal' && (typeof expression.value === 'string' || typeof expression.value === 'number')
    ? String(expression.value)
    : undefined;

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'list':
      return expression.items;
    case 'member':
      return [expression.of, expression.name];
    case 'includes':
      return [expression.in, expression.item];
    case 'unary':
      return [expression.operand];
    case 'binary':
    case 'logical':
      return [expression.left, expression.right];
    case 'choice':
      return [expression.test, expression.yes, expression.no];
  }
}
