import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluateSource } from '../../../src/lib/expression/condition.ts';
import type { ExpressionScope, Value } from '../../../src/lib/expression/expression.ts';
import { parseExpression } from '../../../src/lib/expression/parse.ts';
import { lawRuns } from '../../how-thorough.ts';

const claims = { a: 'text', n: 3, list: ['x', 1, null], deep: { er: true }, nothing: null };
const scope: ExpressionScope = new Map<string, ExpressionScope | Value>([
  ['v', new Map<string, Value>([['c', claims]])],
  ['t', 'x'.repeat(4_000)],
]);

/** Words of the language and others, in any order. */
const anything = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          'v',
          'v.c',
          'v.c.a',
          'v.c.list',
          't',
          '.n',
          '.deep?.er',
          '[0]',
          "['__proto__']",
          '.constructor',
          '.includes(1)',
        ],
        ...[
          '(',
          ')',
          '[',
          ']',
          ',',
          '!',
          '-',
          '+',
          '==',
          '===',
          '!=',
          '<',
          '>=',
          '&&',
          '||',
          '?',
          ':',
          ' in ',
          '??',
          ';',
        ],
        ...[
          '1',
          '1e400',
          '"a"',
          "'",
          'true',
          'null',
          'undefined',
          'this',
          ' ',
          '\n',
          '\\',
          '`',
          '{',
          '=>',
          '=',
          'é',
          '😀',
        ],
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((words) => words.join(''));

/** What always parses: the language's own grammar. */
const { expression: grammatical } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(
      'v.c.a',
      'v.c.n',
      'v.c.list',
      'v.c.gone',
      'v',
      't',
      '1',
      '"a"',
      'true',
      'null',
      'undefined',
      '[1, "a"]',
    ),
    fc.tuple(fc.constantFrom('!', '-'), tie('expression')).map(([operator, part]) => `${operator}(${part})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('==', '!==', '<', '>=', '+', '&&', '||', ' in '), tie('expression'))
      .map(([left, operator, right]) => `(${left})${operator}(${right})`),
    fc.tuple(tie('expression'), tie('expression')).map(([whole, part]) => `(${whole}).includes(${part})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map((parts) => `(${parts[0]}) ? ${parts[1]} : ${parts[2]}`),
  ),
}));

test('every expression has a value or an error, deterministically', () => {
  fc.assert(
    fc.property(anything, (source) => {
      const outcome = evaluateSource(source, scope);
      expect(evaluateSource(source, scope)).toEqual(outcome);
      if ('unknown' in outcome) expect(outcome.unknown).toMatch(/\.$/);
      else expect(typeof outcome.value).not.toBe('function');
    }),
    { numRuns: lawRuns(1_500) },
  );
});

test('everything the grammar generates is parsed, up to the length limit', () => {
  fc.assert(
    fc.property(grammatical, (source) => {
      const parsed = parseExpression(source);
      if (source.length <= 1_024) expect(parsed).toHaveProperty('expression');
      else expect(parsed).toHaveProperty('fault');
    }),
    { numRuns: lawRuns(500) },
  );
});

test('values equal those of JavaScript', () => {
  // Of the grammar's operators JavaScript does more than the language; where both have a value it is the same one.
  const javascript = (source: string): unknown =>
    new Function('v', 't', `return (${source});`)({ c: claims }, scope.get('t'));
  fc.assert(
    fc.property(grammatical, (source) => {
      const outcome = evaluateSource(source, scope);
      if ('value' in outcome) expect(outcome.value).toEqual(javascript(source));
    }),
    { numRuns: lawRuns(500) },
  );
});

test('operators bind as in JavaScript', () => {
  const operand = fc.constantFrom('1', '2', '"a"', '"1"', 'true', 'false', 'null', '!1', '-2', 'undefined');
  const operator = fc.constantFrom('==', '!=', '===', '!==', '<', '<=', '>', '>=', '+', '&&', '||', '?', ':');
  const flat = fc
    .tuple(operand, fc.array(fc.tuple(operator, operand), { maxLength: 8 }))
    .map(([first, rest]) => [first, ...rest.flat()].join(' '));
  fc.assert(
    fc.property(flat, (source) => {
      const outcome = evaluateSource(source, new Map());
      if ('value' in outcome) expect(outcome.value).toEqual(new Function(`return (${source});`)());
    }),
    { numRuns: lawRuns(1_500) },
  );
});
