import { describe, expect, test } from 'vitest';
import { conditionFault, conditionHolds, evaluateSource } from '../../../src/lib/expression/condition.ts';
import type { ExpressionScope, Value } from '../../../src/lib/expression/expression.ts';
import { parseExpression } from '../../../src/lib/expression/parse.ts';
import { expectLinear } from '../../growth.ts';

const claims = {
  plan: 'pro',
  seats: 12,
  beta: true,
  roles: ['admin', 'author'],
  company: { name: 'Acme', size: 40 },
  unsigned: { theme: 'dark' },
};
const scope: ExpressionScope = new Map<string, ExpressionScope | Value>([
  [
    'space',
    new Map([
      [
        'vars',
        new Map<string, Value>([
          ['version', 'v2'],
          ['count', 3],
          ['released', false],
        ]),
      ],
    ]),
  ],
  ['page', new Map([['vars', new Map<string, Value>([['name', 'Stemma']])]])],
  ['visitor', new Map([['claims', claims]])],
]);

describe('evaluates', () => {
  test.each<[string, Value]>([
    ['1', 1],
    ['-1.5', -1.5],
    ['"a" + \'b\'', 'ab'],
    ['1 + 2 + "x"', '3x'],
    ['true + 1', 2],
    ['null', null],
    ['undefined', undefined],
    ['!""', true],
    ['!!"a"', true],
    ['space.vars.version', 'v2'],
    ["space['vars'].version", 'v2'],
    ['page.vars.name + " " + space.vars.version', 'Stemma v2'],
    ['visitor.claims.plan === "pro"', true],
    ['visitor.claims.plan !== "pro"', false],
    ['visitor.claims.seats == "12"', true],
    ['visitor.claims.seats === "12"', false],
    ['null == undefined', true],
    ['visitor.claims.roles.includes("admin")', true],
    ['["free", "pro"].includes(visitor.claims.plan)', true],
    ['visitor.claims.plan.includes("ro")', true],
    ['visitor.claims.roles.length >= 2', true],
    ['visitor.claims.roles[1]', 'author'],
    ['visitor.claims.company.size > 20 && visitor.claims.beta', true],
    ['"plan" in visitor.claims', true],
    ['"toString" in visitor.claims', false],
    ['visitor.claims.missing', undefined],
    ['!visitor.claims.missing', true],
    ['visitor.claims.missing?.deeper', undefined],
    ['visitor.claims.missing?.deeper.still != "x"', true],
    ['!visitor.claims.missing?.includes("x")', true],
    ['visitor.claims.missing?.deeper.includes("x")', undefined],
    ['visitor.claims.roles?.includes("admin")', true],
    ['visitor.claims.unsigned.theme', 'dark'],
    ['space.vars.released ? "out" : "soon"', 'soon'],
    ['true ? false ? 1 : 2 : 3', 2],
    ['space.vars.released || nothing.of.this || 1 ? 1 : 2', 'unknown'],
    ['true || nothing', true],
    ['false && nothing', false],
    ['"" || "default"', 'default'],
    ['1 < 2', true],
    ['2 <= 2', true],
    ['"10" < "9"', true],
    ['"10" < 9', false],
    ['undefined <= 0', false],
    ['undefined >= 0', false],
    ['null >= 0', true],
    ['[1] == 1', false],
    ['1 == 1 == true', true],
    ['!visitor.claims.beta == false', true],
  ])('%s', (source, value) => {
    const outcome = evaluateSource(source, scope);
    if (value === 'unknown') expect(outcome).toHaveProperty('unknown');
    else expect(outcome).toEqual({ value });
  });
});

describe('cannot evaluate', () => {
  test.each([
    ['nothing', 'nothing is not defined.'],
    ['space.vars.missing', 'missing is not defined.'],
    ['space.vars', 'The expression is a group of names, not a value.'],
    ['space.vars == 1', 'A group of names cannot be used as a value.'],
    ['visitor.claims.missing.deeper', 'Cannot read deeper of undefined.'],
    ['visitor.claims.roles < 3', 'Arrays and objects cannot be compared by order.'],
    ['"v" + visitor.claims.missing', '`+` requires strings or numbers.'],
    ['visitor.claims.seats.includes(1)', '`includes` can only be called on a string or array.'],
    ['"12".includes(1)', '`includes` of a string takes a string.'],
    ['"a" in "abc"', '`in` requires an object or array.'],
    ['-"a"', '`-` requires a number.'],
    ['visitor.claims[null]', 'A property name must be a string or number.'],
  ])('%s', (source, unknown) => {
    expect(evaluateSource(source, scope)).toEqual({ unknown });
  });
});

describe('does not find inherited properties', () => {
  test.each([
    'visitor.claims.constructor',
    'visitor.claims.__proto__',
    'visitor.claims["__proto__"]',
    'visitor.claims.plan.constructor',
    'visitor.claims.roles.map',
    'visitor.claims.toString',
    '"".length.constructor',
  ])('%s', (source) => {
    expect(evaluateSource(source, scope)).toEqual({ value: undefined });
  });

  test.each([
    '__proto__',
    'constructor',
    'space.constructor',
    'space.__proto__',
    'space.vars.hasOwnProperty',
    'globalThis',
  ])('%s', (source) => {
    expect(evaluateSource(source, scope)).toHaveProperty('unknown');
  });

  test('an own property with such a name is found', () => {
    const odd = JSON.parse('{"__proto__": 1, "constructor": 2}');
    expect(evaluateSource('o.__proto__ + o.constructor', new Map([['o', odd]]))).toEqual({ value: 3 });
  });
});

describe('refuses to parse', () => {
  test.each([
    '',
    '   ',
    '1 +',
    'a b',
    'a; b',
    'a, b',
    '(a',
    'a ? b',
    'a = 1',
    'a => a',
    'f(1)',
    'a.includes()',
    'a.includes(1, 2)',
    'a["includes"](1)',
    'a.constructor("return 1")',
    '[].map(a)',
    'this.a',
    '[1,,2]',
    '{ a: 1 }',
    '1 * 2',
    '1 - 2',
    '2 ** 9',
    'a ?? b',
    'a | b',
    '~1',
    '/a+/',
    '`a`',
    'new A',
    'while (true) {}',
    'a'.repeat(1025),
    `${'('.repeat(70)}a${')'.repeat(70)}`,
    `${'['.repeat(500)}${']'.repeat(500)}`,
  ])('%s', (source) => {
    expect(parseExpression(source)).toEqual({ fault: expect.any(String) });
  });

  test('an error says what is wrong', () => {
    expect(conditionFault('f(1)')).toBe('Only `includes` can be called.');
    expect(conditionFault('1 * 2')).toBe('The operator * is not supported.');
    expect(conditionFault('1 +')).toMatch(/Expected expression after \+/);
    expect(conditionFault('a'.repeat(1025))).toBe('The expression is longer than 1024 characters.');
    expect(conditionFault('visitor.claims.beta == true')).toBeUndefined();
  });
});

describe('is bounded', () => {
  const long = 'x'.repeat(9_000);

  test.each<[sourceOf: (count: number) => string, most: number]>([
    [(count) => `${'!'.repeat(count)}1`, 1000],
    [(count) => Array(count).fill('1').join('+'), 500],
    [(count) => Array(count).fill('a').join('?1:'), 250],
    [(count) => `${'1?'.repeat(count)}1${':1'.repeat(count)}`, 250],
    [(count) => `${'a.'.repeat(count)}a`, 500],
    [(count) => `${'a['.repeat(count)}1${']'.repeat(count)}`, 60],
  ])('%#: takes whatever fits its length, in time proportional to it', async (sourceOf, most) => {
    // One takes a moment only; a hundred take one that can be compared.
    const evaluate = (source: string) => {
      for (let count = 0; count < 100; count++) {
        // Expressions that were evaluated before are not parsed again.
        parseExpression(source);
        evaluateSource(source, new Map());
      }
    };
    await expectLinear(evaluate, sourceOf, Math.floor(most / 4));
  });

  test('parsing, which is done once for equal sources', () => {
    const source = Array.from({ length: 25 }, (_, index) => `visitor.claims.claim${index} == 1`).join(' || ');
    const timeOf = (work: () => unknown) => {
      const times = Array.from({ length: 5 }, () => {
        const start = performance.now();
        for (let count = 0; count < 200; count++) work();
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    // Parsing takes three times as long as evaluating.
    expect(timeOf(() => evaluateSource(source, scope))).toBeLessThan(timeOf(() => parseExpression(source)));
  });

  test('texts that it makes', () => {
    expect(evaluateSource('a + a', new Map([['a', long]]))).toEqual({
      unknown: '`+` makes a string of more than 10000 characters.',
    });
  });

  test('the searching of large values', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => index);
    const search = Array(60).fill('l.includes(-1)').join('||');
    expect(evaluateSource(search, new Map([['l', many]]))).toEqual({ unknown: 'The evaluation takes too long.' });
  });
});

describe('a condition', () => {
  test.each([
    ['visitor.claims.beta', true],
    ['visitor.claims.seats', true],
    ['visitor.claims.missing', false],
    ['nothing', false],
    ['not an expression', false],
    ['', true],
    [' ', true],
  ])('%s holds: %s', (source, holds) => {
    expect(conditionHolds(source, scope)).toBe(holds);
  });
});
