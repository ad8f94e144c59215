import type { Value } from './expression.ts';
import { Unevaluable } from './unevaluable.ts';

/** Code units of a text that `+` makes. */
const MAX_TEXT = 10_000;

export const isText = (value: Value): value is string => typeof value === 'string';

/** JavaScript's `==` of primitives (ECMA-262, 7.2.14). An array or object equals itself alone. */
export function isEqual(left: Value, right: Value): boolean {
  if (isPrimitive(left) && isPrimitive(right)) {
    // biome-ignore lint/suspicious/noDoubleEquals: the operator of the language.
    return left == right;
  }
  return left === right;
}

/** How two primitives stand to each other, in JavaScript's order (ECMA-262, 7.2.13); NaN where they do not. */
export function order(left: Value, right: Value): number {
  if (!isPrimitive(left) || !isPrimitive(right)) throw new Unevaluable('Arrays and objects have no order.');
  if (!isText(left) || !isText(right)) return Math.sign(Number(left) - Number(right));
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Joins texts, and adds numbers. What is missing is not written out as a word. */
export function add(left: Value, right: Value): string | number {
  if (left == null || right == null || !isPrimitive(left) || !isPrimitive(right)) {
    throw new Unevaluable('`+` takes texts and numbers.');
  }
  if (!isText(left) && !isText(right)) return Number(left) + Number(right);
  const text = `${left}${right}`;
  if (text.length > MAX_TEXT) throw new Unevaluable(`It makes a text of more than ${MAX_TEXT} characters.`);
  return text;
}

function isPrimitive(value: Value): value is string | number | boolean | null | undefined {
  return value === null || typeof value !== 'object';
}
