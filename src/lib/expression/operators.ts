import type { Value } from './expression.ts';

/** Thrown during an evaluation that has no value. The message is the reason. */
export class Unevaluable extends Error {}

/** Maximum length of a string that `+` makes, in code units. */
const MAX_TEXT = 10_000;

export const isText = (value: Value): value is string => typeof value === 'string';

/** JavaScript's `==` for primitives (ECMA-262, section 7.2.14). Arrays and objects are equal only to themselves. */
export function areOperandsEqual(left: Value, right: Value): boolean {
  if (isPrimitive(left) && isPrimitive(right)) {
    // biome-ignore lint/suspicious/noDoubleEquals: the operator of the language.
    return left == right;
  }
  return left === right;
}

/** Compares two primitives in JavaScript's order (ECMA-262, section 7.2.13): -1, 0, 1, or NaN if they have no order. */
export function compareOperands(left: Value, right: Value): number {
  if (!isPrimitive(left) || !isPrimitive(right))
    throw new Unevaluable('Arrays and objects cannot be compared by order.');
  if (!isText(left) || !isText(right)) return Math.sign(Number(left) - Number(right));
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Concatenates strings and adds numbers. Rejects null and undefined, which JavaScript would write as words. */
export function addOperands(left: Value, right: Value): string | number {
  if (left == null || right == null || !isPrimitive(left) || !isPrimitive(right)) {
    throw new Unevaluable('`+` requires strings or numbers.');
  }
  if (!isText(left) && !isText(right)) return Number(left) + Number(right);
  const text = `${left}${right}`;
  if (text.length > MAX_TEXT) throw new Unevaluable(`\`+\` makes a string of more than ${MAX_TEXT} characters.`);
  return text;
}

function isPrimitive(value: Value): value is string | number | boolean | null | undefined {
  return value === null || typeof value !== 'object';
}
