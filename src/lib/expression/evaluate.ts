import type { Expression, Scope, Value } from './expression.ts';
import { add, isEqual, isText, order } from './operators.ts';
import { Unevaluable } from './unevaluable.ts';

/** What an evaluation came to; `unknown` says why there is no value. */
export type Outcome = { value: Value } | { unknown: string };

/** Node visits of one evaluation, with what searching texts and arrays costs in them. */
const MAX_STEPS = 20_000;

/** How many code units, or items, are searched for the price of one visit. */
const SEARCHED_PER_STEP = 64;

/**
 * The value of an expression. Nothing in it can loop or be called, names are looked up among own members only, and the
 * length of texts that it makes is bounded; so it ends soon, whatever it is and whatever the scope holds.
 */
export function evaluate(expression: Expression, scope: Scope): Outcome {
  const meter = new Meter();
  try {
    const value = resultOf(expression, scope, meter);
    return isScope(value) ? { unknown: 'It names a group of names, not a value.' } : { value };
  } catch (error) {
    if (error instanceof Unevaluable) return { unknown: error.message };
    throw error;
  }
}

class Meter {
  #steps = 0;

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new Unevaluable('It takes too long.');
  }
}

function resultOf(expression: Expression, scope: Scope, meter: Meter): Value | Scope {
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
      return memberOf(resultOf(expression.of, scope, meter), value(expression.name), expression.isOptional);
    case 'includes':
      return includes(value(expression.in), value(expression.item), meter);
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

function operate({ operator }: Expression & { kind: 'binary' }, left: Value, right: Value): Value {
  switch (operator) {
    case '===':
    case '!==':
      return (left === right) === (operator === '===');
    case '==':
    case '!=':
      return isEqual(left, right) === (operator === '==');
    case '<':
      return order(left, right) === -1;
    case '>':
      return order(left, right) === 1;
    // Neither is the negation of the other: where there is no order, both are false (ECMA-262, 13.10.1).
    case '<=':
      return [-1, 0].includes(order(left, right));
    case '>=':
      return [1, 0].includes(order(left, right));
    case '+':
      return add(left, right);
    case 'in':
      return hasKey(right, left);
  }
}

function lookup(scope: Scope, name: string): Value | Scope {
  if (scope.has(name)) return scope.get(name);
  throw new Unevaluable(`There is no ${name}.`);
}

/** A member of a value, among its own ones and the length of texts and arrays; what is inherited is not there. */
function memberOf(of: Value | Scope, name: Value, isOptional: boolean): Value | Scope {
  if (isScope(of)) return lookup(of, keyOf(name));
  if (of === null || of === undefined) {
    if (isOptional) return undefined;
    throw new Unevaluable(`${keyOf(name)} is asked of ${of}.`);
  }
  const key = keyOf(name);
  if (key === 'length' && (isText(of) || Array.isArray(of))) return of.length;
  if (typeof of !== 'object') return undefined;
  return Object.hasOwn(of, key) ? (of as Record<string, Value>)[key] : undefined; // a Value that is no primitive
}

function includes(whole: Value, item: Value, meter: Meter): boolean {
  if (isText(whole)) {
    if (!isText(item)) throw new Unevaluable('A text is searched for what is no text.');
    meter.spend(Math.ceil(whole.length / SEARCHED_PER_STEP));
    return whole.includes(item);
  }
  if (!Array.isArray(whole)) throw new Unevaluable('`includes` is asked of what is neither text nor array.');
  meter.spend(Math.ceil(whole.length / SEARCHED_PER_STEP));
  return whole.includes(item);
}

function hasKey(whole: Value, key: Value): boolean {
  if (typeof whole !== 'object' || whole === null) throw new Unevaluable('`in` is asked of what has no members.');
  return Object.hasOwn(whole, keyOf(key));
}

function negative(value: Value): number {
  if (typeof value === 'number') return -value;
  throw new Unevaluable('`-` stands before what is no number.');
}

function keyOf(name: Value): string {
  if (isText(name) || typeof name === 'number') return String(name);
  throw new Unevaluable('A member is named by what is neither text nor number.');
}

function plain(value: Value | Scope): Value {
  if (isScope(value)) throw new Unevaluable('A group of names is used as a value.');
  return value;
}

const isScope = (value: Value | Scope): value is Scope => value instanceof Map;
