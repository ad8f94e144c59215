import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, getIntrospectionQuery, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { analyseCost } from '../../src/platform/graphql/limits/cost.ts';
import { excessOf } from '../../src/platform/graphql/limits/document-limits.ts';
import { schema } from '../../src/schema.ts';
import { settings } from '../../src/settings.ts';
import { expectLinear } from '../growth.ts';

const MAX_COST = settings.shape.MAX_QUERY_COST.parse(undefined);

const operationsOf = (document: DocumentNode) =>
  document.definitions.filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION);

function costOf(text: string, variables: Record<string, unknown> = {}): number {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const [operation] = operationsOf(document);
  return operation ? analyseCost(schema, document, operation)(variables) : Number.NaN;
}

const frontend = parse(readFileSync(join(import.meta.dirname, '..', 'spec', 'queries.graphql'), 'utf8'));
const sent = operationsOf(frontend).map((operation) => {
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation] };
  return { name: operation.name?.value, operation, document };
});
const running = sent.filter(({ document }) => validate(schema, document).length === 0);

test.each(sent)('$name, which frontends send, is within the limits of documents', ({ document }) => {
  expect(excessOf(document)).toBeUndefined();
});

test.each(running)('$name costs less than half of the limit', ({ operation, document }) => {
  expect(analyseCost(schema, document, operation)({})).toBeLessThan(MAX_COST / 2);
});

test('introspection is within the limit', () => {
  const whole = getIntrospectionQuery({
    descriptions: true,
    inputValueDeprecation: true,
    oneOf: true,
    schemaDescription: true,
  });
  expect(excessOf(parse(whole))).toBeUndefined();
  expect(costOf(whole)).toBeLessThan(MAX_COST / 2);
});

test.each([
  ['an object is one, its scalars are free', '{ viewer { id displayName email } }', 1],
  ['null is reckoned as an object', '{ node(id: "x") { id } }', 1],
  ['a connection is one, and its items', '{ viewer { organizations(first: 7) { nodes { id } } } }', 1 + 1 + 7],
  [
    'its edges are objects too',
    '{ viewer { organizations(first: 7) { edges { cursor node { id } } } } }',
    1 + 1 + 7 * 2,
  ],
  [
    'what is asked of it once counts once',
    '{ viewer { organizations(first: 7) { totalCount pageInfo { endCursor } } } }',
    3,
  ],
  ['without a size it has 50', '{ viewer { organizations { nodes { id } } } }', 1 + 1 + 50],
  ['from its end it has the same', '{ viewer { organizations(last: 7) { nodes { id } } } }', 1 + 1 + 7],
  ['more than 100 are never answered', '{ viewer { organizations(first: 1000000) { nodes { id } } } }', 1 + 1 + 100],
  [
    'of pages of a tree, up to 1000 are answered',
    '{ space(id: "x") { allPages(first: 5000) { nodes { id title path depth hasChildren } } } }',
    1 + 1 + 1000,
  ],
  [
    'lists of each of these pages count',
    '{ space(id: "x") { allPages(first: 1000) { nodes { id ancestors { id } links(first: 3) { nodes { __typename } } } } } }',
    1 + 1 + 1000 * (1 + 1 + 1 + 3),
  ],
  ['less than none costs nothing', '{ viewer { organizations(first: -5) { nodes { id } } } }', 1 + 1],
  ['a list by ids has as many items', '{ nodes(ids: ["a", "b", "c"]) { id } }', 3],
  ['any other list has ten', '{ space(id: "x") { revision { pages { ... on PageNode { id } } } } }', 1 + 1 + 10],
  [
    'of fragments on different types, the largest counts',
    '{ node(id: "x") { ... on Space { parent { id } } ... on Collection { parent { id } collections(first: 3) { nodes { id } } } } }',
    1 + 1 + 1 + 3,
  ],
  [
    'several fragments on one type add up',
    '{ node(id: "x") { ... on Space { parent { id } } ... on Space { organization { id } } ... on Collection { parent { id } } } }',
    1 + 2,
  ],
  [
    'fragments on the type itself and on interfaces add up',
    '{ node(id: "x") { ... on PageNode { revision { id } } ... on DocumentPage { parent { id } } ... on GroupPage { parent { id } } } }',
    1 + 1 + 1,
  ],
  [
    'lists of the kind that has them count one for each item',
    '{ space(id: "x") { revision { pages { ... on DocumentPage { pages { ... on DocumentPage { pages { id } } } } } } } }',
    1 + 1 + 10 * 3,
  ],
  ['aliases count each', '{ a: viewer { id } b: viewer { id } }', 2],
  ['a mutation costs its payload', 'mutation { createOrganization(input: { title: "x" }) { organization { id } } }', 2],
  ['names of types are free', '{ __typename viewer { __typename } }', 1],
  ['the rate limit is free', '{ rateLimit { limit remaining } }', 0],
])('%s', (_rule, query, cost) => {
  expect(costOf(query)).toBe(cost);
});

test('fragments count where they are spread, of connections by their size', () => {
  const fragments = `
    fragment Items on OrganizationConnection { totalCount ...More }
    fragment More on OrganizationConnection { nodes { ...Title } pageInfo { hasNextPage } }
    fragment Title on Organization { id spaces(first: 2) { nodes { id } } }`;
  const of = (first: number) => 1 + 1 + 1 + first * (1 + 1 + 2);
  expect(costOf(`{ viewer { organizations(first: 5) { ...Items } } } ${fragments}`)).toBe(of(5));
  expect(
    costOf(
      `{ viewer { a: organizations(first: 5) { ...Items } b: organizations(first: 9) { ...Items } } } ${fragments}`,
    ),
  ).toBe(of(5) + of(9) - 1);
});

test('variables count by their values', () => {
  const query =
    'query ($n: Int, $ids: [ID!]!) { nodes(ids: $ids) { ... on Organization { spaces(first: $n) { nodes { id } } } } }';
  const cost = (n: number | null, count: number) => costOf(query, { n, ids: Array(count).fill('x') });
  expect([cost(3, 1), cost(3, 100), cost(null, 2), cost(500, 1)]).toEqual([5, 500, 104, 102]);
});

test('fragments that double at every level are computed quickly, and exceed the limit', async () => {
  const doubling = (levels: number) => {
    const chain = Array.from({ length: levels }, (_, index) => {
      const next = `...F${index + 1}`;
      return `fragment F${index} on User { organizations(first: $n) { nodes { id } } ${next} ${next} }`;
    });
    return parse(`query ($n: Int) { viewer { ...F0 } } ${chain.join(' ')} fragment F${levels} on User { id }`);
  };
  const reckon = (document: DocumentNode) => {
    const [operation] = operationsOf(document);
    return operation && analyseCost(schema, document, operation)({ n: 0 });
  };
  // Visited one by one, the last level would take a thousand times the time of ten levels less.
  await expectLinear(reckon, doubling, 5);
  expect(reckon(doubling(60))).toBeGreaterThan(1e12);
});
