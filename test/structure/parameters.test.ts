import { expect, test } from 'vitest';
import type { Route } from '../../src/platform/http/route.ts';
import { routes } from '../../src/routes.ts';
import { type Described, description } from '../description.ts';

const { document, operations } = description();

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

const followed = (schema: Schema = {}): Schema => {
  const name = schema.$ref?.split('/').at(-1);
  const { schemas = {} } = document.components as { schemas?: Record<string, Schema> };
  return name === undefined ? schema : followed(schemas[name]);
};

const ofOperation = ({ operationId }: Route): Described => {
  const found = operations.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`${operationId} is not described.`);
  return found;
};

const inQuery = (route: Route) => (ofOperation(route).parameters ?? []).filter((parameter) => parameter.in === 'query');

/** Whether a text in a query can be a value of the schema. */
function isText(given: Schema | undefined): boolean {
  const { type, anyOf, items, enum: values } = followed(given);
  if (anyOf) return anyOf.every(isText);
  if (type === 'array') return isText(items);
  return values !== undefined || (typeof type === 'string' && type !== 'object');
}

test('parameters of queries can be written in a query', () => {
  const others = routes.flatMap((route) =>
    inQuery(route)
      .filter(({ schema }) => !isText(schema))
      .map(({ name }) => `${route.operationId} ${name}`),
  );
  expect(others).toEqual([]);
});

/** Values of every kind, and those that the schema names, so that two of them lead to different inputs. */
const candidates = (schema: Schema): unknown[] => [
  ...(followed(schema).enum ?? []),
  ...[
    'a',
    'b',
    '{"a":1}',
    1,
    2,
    true,
    false,
    null,
    ['a'],
    ['b'],
    { a: 1 },
    { id: 'x', space: 'x', type: 'website', url: 'u' },
  ],
  ...[{ object: 'page', id: 'x' }, { markdown: 'a' }, { document: {} }],
];

/** What a route makes of a property, as text: the input, or the error that refuses it. */
function effect({ toInput, path, method }: Route, ours: string, theirs: string, value: unknown): string {
  const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, name]));
  const isInQuery = method === 'GET' || method === 'DELETE';
  const sent = { [theirs]: value } as Record<string, never>; // as a client sends it
  const raw = { params, query: isInQuery ? sent : {}, body: isInQuery ? undefined : sent, prefersAsync: false };
  try {
    return JSON.stringify(toInput?.({ ...params, [ours]: value }, raw));
  } catch (error) {
    return String(error);
  }
}

/** Properties that `present` reads from the request, after the operation. */
const READ_AFTERWARDS = ['format', 'format.markdown.refs', 'metadata', 'computed', 'dereferenced', 'compat'];

test.each(routes.filter(({ toInput }) => toInput).map((route) => [route.operationId, route] as const))(
  '%s makes something of every property that it describes',
  (operationId, route) => {
    const { requestBody } = ofOperation(route);
    const { properties = {} } = (requestBody?.content['application/json']?.schema ?? {}) as Schema;
    const ofQuery = inQuery(route).flatMap(({ name = '', schema = {} }): [string, Schema][] => [[name, schema]]);
    const isPaging = (name: string) => route.about.isList === true && (name === 'page' || name === 'limit');
    const described = [...ofQuery, ...Object.entries(properties)].filter(
      ([name]) => !isPaging(name) && !READ_AFTERWARDS.includes(name),
    );
    const idle = described.filter(([name, schema]) => {
      const ours = route.about.rename?.[name] ?? name;
      return new Set(candidates(schema).map((value) => effect(route, ours, name, value))).size < 2;
    });
    expect([operationId, idle.map(([name]) => name)]).toEqual([operationId, []]);
  },
);

test('patterns are described only as every tool can read them, and the others in words', () => {
  const text = JSON.stringify(document);
  const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, pattern = '']) => JSON.parse(pattern));
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => /\(\?[=!<]|\\[pP]\{|\\u\{/.test(pattern))).toEqual([]);
  // Read with and without the flag, as tools do.
  for (const pattern of patterns) for (const flags of ['', 'u']) expect(() => new RegExp(pattern, flags)).not.toThrow();
  const { properties = {} } = followed({ $ref: '#/components/schemas/Site' });
  expect(properties.basename).not.toHaveProperty('pattern');
  const rule = 'letters of any script, digits, `-`, `_`, `.` and `~`';
  const update = operations.find(({ operationId }) => operationId === 'updateSiteById');
  expect(JSON.stringify(update?.requestBody)).toContain(rule);
});
