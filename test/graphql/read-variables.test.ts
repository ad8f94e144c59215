import { buildSchema, coerceInputValue, parse, typeFromAST, type VariableDefinitionNode } from 'graphql';
import { afterEach, expect, test } from 'vitest';
import { coerceVariables } from '../../src/platform/graphql/request/coerce-variables.ts';

const schema = buildSchema(`
  enum Level { LOW HIGH }
  input Inner { flag: Boolean text: String level: Level }
  input Outer { inner: Inner inners: [Inner!] numbers: [Int] id: ID }
  type Query { field(flag: Boolean, number: Float, level: Level, text: String, outer: Outer): Int }
`);

function definitionsOf(variables: string): readonly VariableDefinitionNode[] {
  const [operation] = parse(`query (${variables}) { field }`).definitions;
  return (operation?.kind === 'OperationDefinition' && operation.variableDefinitions) || [];
}

const read = (variables: string, given: Record<string, unknown>) =>
  coerceVariables(schema, definitionsOf(variables), given, { hideSuggestions: false });

const LONG = ' Did you mean '.repeat(50_000);

const { stringify } = JSON;
/** Lengths of the strings that are printed, which is how graphql-js prints values in messages. */
let printed: number[] = [];

afterEach(() => {
  JSON.stringify = stringify;
  printed = [];
});

test.each([
  ['$flag: Boolean', { flag: LONG }, ['flag']],
  ['$number: Float!', { number: LONG }, ['number']],
  ['$level: Level', { level: LONG }, ['level']],
  ['$outer: Outer', { outer: { inner: { flag: LONG } } }, ['outer', 'inner', 'flag']],
  ['$outer: Outer', { outer: { inners: [{ text: LONG }, { level: LONG }] } }, ['outer', 'inners', 1, 'level']],
  ['$outer: Outer', { outer: { inners: { flag: LONG } } }, ['outer', 'inners', 'flag']],
  ['$outer: Outer', { outer: { numbers: [1, LONG] } }, ['outer', 'numbers', 1]],
])('%s: a wrong value is not printed as a whole', (variables, given, path) => {
  JSON.stringify = ((value: unknown, ...rest: []) => {
    if (typeof value === 'string') printed.push(value.length);
    return stringify(value, ...rest);
  }) as typeof stringify;
  const answer = read(variables, given);
  expect(answer).toMatchObject({ error: { originalError: { issues: [{ path }] } } });
  expect(Math.max(0, ...printed)).toBeLessThanOrEqual(1_000);
});

test.each([
  ['$text: String', { text: LONG }],
  ['$outer: Outer', { outer: { id: LONG, inner: { text: LONG, level: 'LOW' }, inners: [{ text: LONG }] } }],
])('%s: long texts stay whole', (variables, given) => {
  const [definition] = definitionsOf(variables);
  const type = definition && typeFromAST(schema, definition.type as never); // named types
  const [value] = Object.values(given);
  expect(read(variables, given)).toEqual({
    coerced: { [Object.keys(given)[0] ?? '']: coerceInputValue(value, type as never) },
  });
});

test('variables that are not sent have no values, whatever they are called', () => {
  const given = JSON.parse('{ "__proto__": { "text": "inherited" } }');
  const result = read('$__proto__: Inner, $text: String, $constructor: String, $toString: String', given);
  const { coerced } = result as { coerced: Record<string, unknown> };
  expect([coerced.text, coerced.constructor, coerced.toString]).toEqual([undefined, undefined, undefined]);
  expect(Object.entries(coerced)).toEqual([['__proto__', { text: 'inherited' }]]);
});
