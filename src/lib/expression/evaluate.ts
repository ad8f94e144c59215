import type { Expression, ExpressionScope, Value } from './expression.ts';
import { addOperands, areOperandsEqual, compareOperands, isText, Unevaluable } from './operators.ts';

/** Result of an evaluation; `unknown` is the reason why there is no value. */
export type EvaluationResult = { value: Value } | { unknown: string };

/** Maximum cost of an evaluation: visits of nodes, plus the cost of searching strings and arrays. */
const MAX_STEPS = 20_000;

/** Code units or items that are searched at the cost of one visit. */
const SEARCHED_PER_STEP = 64;

/**
 * Evaluates an expression. There are no loops and no calls of functions, only own properties are read, and the length
 * of new strings is bounded, so that every evaluation ends quickly.
 */
export function evaluate(expression: Expression, scope: ExpressionScope): EvaluationResult {
  const meter = new Meter();
  try {
    const value = resultOf(expression, scope, meter);
    return isScope(value) ? { unknown: 'The expression is a group of names, not a value.' } : { value };
  } catch (error) {
    if (error instanceof Unevaluable) return { unknown: error.message };
    throw error;
  }
}

class Meter {
  #steps = 0;

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new Unevaluable('The evaluation takes too long.');
  }
}

function resultOf(expression: Expression, scope: ExpressionScope, meter: Meter): Value | ExpressionScope {
  meter.spend(1);
  const value = (part: Expression) => plain(resultOf(part, scope, meter));
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'list':
      return expression.items.map(value);
    case 'name':
      return lookup(scope, expression.name);
    case 'member':
    case 'includes': {
      const result = chainOf(expression, scope, meter);
      return result === SKIPPED ? undefined : result;
    }
    case 'unary':
      return expression.operator === '!' ? !value(expression.operand) : negative(value(expression.operand));
    case 'logical': {
      const left = value(expression.left);
      return Boolean(left) === (expression.operator === '&&') ? value(expression.right) : left;
    }
    case 'binary':
      return operate(expression, value(expression.left), value(expression.right));
    case 'choice':
      return value(value(expression.test) ? expression.yes : expression.no);
  }
}

/** The result of a chain that ended at a `?.` because there was nothing before it (ECMA-262, section 13.3). */
const SKIPPED = Symbol('skipped');

/** A chain of members and calls, of which `?.` skips all that follow. */
function chainOf(
  expression: Expression,
  scope: ExpressionScope,
  meter: Meter,
): Value | ExpressionScope | typeof SKIPPED {
  if (expression.kind !== 'member' && expression.kind !== 'includes') return resultOf(expression, scope, meter);
  meter.spend(1);
  const of = chainOf(expression.kind === 'member' ? expression.of : expression.in, scope, meter);
  if (of === SKIPPED || (expression.isOptional && (of === null || of === undefined))) return SKIPPED;
  const value = (part: Expression) => plain(resultOf(part, scope, meter));
  return expression.kind === 'member'
    ? memberOf(of, value(expression.name))
    : includes(plain(of), value(expression.item), meter);
}

function operate({ operator }: Expression & { kind: 'binary' }, left: Value, right: Value): Value {
  switch (operator) {
    case '===':
    case '!==':
      return (left === right) === (operator === '===');
    case '==':
    case '!=':
      return areOperandsEqual(left, right) === (operator === '==');
    case '<':
      return compareOperands(left, right) === -1;
    case '>':
      return compareOperands(left, right) === 1;
    // Not negations of each other: both are false for values without an order (ECMA-262, section 13.10.1).
    case '<=':
      return [-1, 0].includes(compareOperands(left, right));
    case '>=':
      return [1, 0].includes(compareOperands(left, right));
    case '+':
      return addOperands(left, right);
    case 'in':
      return hasKey(right, left);
  }
}

function lookup(scope: ExpressionScope, name: string): Value | ExpressionScope {
  if (scope.has(name)) return scope.get(name);
  throw new Unevaluable(`${name} is not defined.`);
}

/** An own property of a value, or the length of a string or array. Inherited properties are undefined. */
function memberOf(of: Value | ExpressionScope, name: Value): Value | ExpressionScope {
  if (isScope(of)) return lookup(of, keyOf(name));
  if (of === null || of === undefined) throw new Unevaluable(`Cannot read ${keyOf(name)} of ${of}.`);
  const key = keyOf(name);
  if (key === 'length' && (isText(of) || Array.isArray(of))) return of.length;
  if (typeof of !== 'object') return undefined;
  return Object.hasOwn(of, key) ? (of as Record<string, Value>)[key] : undefined; // an object
}

function includes(container: Value, item: Value, meter: Meter): boolean {
  if (isText(container)) {
    if (!isText(item)) throw new Unevaluable('`includes` of a string takes a string.');
    meter.spend(Math.ceil(container.length / SEARCHED_PER_STEP));
    return container.includes(item);
  }
  if (!Array.isArray(container)) throw new Unevaluable('`includes` can only be called on a string or array.');
  meter.spend(Math.ceil(container.length / SEARCHED_PER_STEP));
  return container.includes(item);
}

function hasKey(container: Value, key: Value): boolean {
  if (typeof container !== 'object' || container === null) throw new Unevaluable('`in` requires an object or array.');
  return Object.hasOwn(container, keyOf(key));
}

function negative(value: Value): number {
  if (typeof value === 'number') return -value;
  throw new Unevaluable('`-` requires a number.');
}

function keyOf(name: Value): string {
  if (isText(name) || typeof name === 'number') return String(name);
  throw new Unevaluable('A property name must be a string or number.');
}

function plain(value: Value | ExpressionScope): Value {
  if (isScope(value)) throw new Unevaluable('A group of names cannot be used as a value.');
  return value;
}

const isScope = (value: Value | ExpressionScope): value is ExpressionScope => value instanceof Map;
