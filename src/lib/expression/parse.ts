import jsep from 'jsep';
import { type Expression, MAX_EXPRESSION } from './expression.ts';
import { OutsideTheLanguage, translate } from './translate.ts';

/** Brackets within brackets. The parser descends into them, so this bounds its stack. */
const MAX_NESTING = 64;

// JavaScript's relational precedence, beside `<` (ECMA-262, 13.10); the parser does not come with it.
jsep.addBinaryOp('in', 7);

/**
 * Reads an expression of the language of conditions: JavaScript's literals, arrays, member access (`a.b`, `a['b']`,
 * `a?.b`), `! && || == != === !== < <= > >= + ?:`, `in`, and the call `.includes(x)` of text and arrays. `fault` says
 * what is wrong with anything else. The time it takes is bounded by the length that is let through.
 */
export function parseExpression(source: string): { expression: Expression } | { fault: string } {
  if (source.length > MAX_EXPRESSION * 2 || [...source].length > MAX_EXPRESSION) {
    return { fault: `An expression has at most ${MAX_EXPRESSION} characters.` };
  }
  if (source.trim() === '') return { fault: 'The expression is empty.' };
  if (nestingOf(source) > MAX_NESTING) return { fault: `Brackets are nested more than ${MAX_NESTING} deep.` };
  let tree: jsep.Expression;
  try {
    tree = jsep(source);
  } catch (error) {
    return { fault: `${error instanceof Error ? error.message : 'The expression cannot be read'}.` };
  }
  try {
    return { expression: translate(tree) };
  } catch (error) {
    if (error instanceof OutsideTheLanguage) return { fault: error.message };
    throw error;
  }
}

function nestingOf(source: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of source) {
    if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}
