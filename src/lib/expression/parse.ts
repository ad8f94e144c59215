import jsep from 'jsep';
import { type Expression, MAX_EXPRESSION } from './expression.ts';
import { OutsideTheLanguage, translate } from './translate.ts';

/** Maximum nesting of brackets. It bounds the stack of the recursive parser. */
const MAX_NESTING = 64;

// With the precedence of `<` (ECMA-262, section 13.10). jsep does not include it.
jsep.addBinaryOp('in', 7);

/**
 * Parses an expression. The language has JavaScript's literals, arrays, property access (`a.b`, `a['b']`, `a?.b`), the
 * operators `! && || == != === !== < <= > >= + ?:` and `in`, and calls of `.includes(x)` on strings and arrays. `fault`
 * describes the error in anything else. The length limit bounds the time.
 */
export function parseExpression(source: string): { expression: Expression } | { fault: string } {
  if (source.length > MAX_EXPRESSION * 2 || [...source].length > MAX_EXPRESSION) {
    return { fault: `The expression is longer than ${MAX_EXPRESSION} characters.` };
  }
  if (source.trim() === '') return { fault: 'The expression is empty.' };
  if (nestingOf(source) > MAX_NESTING) return { fault: `Brackets are nested more than ${MAX_NESTING} levels deep.` };
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
