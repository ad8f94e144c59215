import { type GraphQLError, parse, validate } from 'graphql';
import { getVariableValues } from 'graphql/execution/values.js';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';
import { Stream } from '../stream.ts';
import { world } from '../world.ts';

const { admin, reader, organizationId } = await world();

type Located = Pick<GraphQLError, 'locations' | 'path'>;

/** The locations and paths of errors, as clients get them. */
const placesOf = (errors: readonly Located[]) =>
  errors.map(({ locations, path }) => ({ ...(locations && { locations }), ...(path && { path }) }));

async function errorsOf(query: string, variables: Record<string, unknown> = {}, client = admin): Promise<Located[]> {
  const { body } = await client.graphqlRaw(query, variables);
  return body.errors;
}

test.each(['{', 'query Q {\n  viewer { displayName }\n  }}', 'query Q(\n$id: ID!', '\n\n\nqueri { a }'])(
  'a syntax error has the location of graphql-js: %j',
  async (query) => {
    let thrown: unknown;
    try {
      parse(query);
    } catch (error) {
      thrown = error;
    }
    const expected = placesOf([thrown as GraphQLError]);
    expect(expected[0]?.locations).toHaveLength(1);
    expect(placesOf(await errorsOf(query))).toEqual(expected);
  },
);

test.each([
  'query Q {\n  nothing\n  viewer { x\n    y }\n}',
  'query A { viewer { id } }\n\nquery A { viewer { id } }',
  'query Q($id: ID!, $id: ID!) { space(id: $id) { id } }',
  'query Q { viewer { ...F } } fragment F on User { id ...G } fragment G on User { ...F }',
  '{ viewer { name: id name: displayName } }',
])('validation errors have all locations of graphql-js: %j', async (query) => {
  const expected = placesOf(validate(schema, parse(query)));
  expect(expected.every(({ locations }) => locations !== undefined)).toBe(true);
  expect(placesOf(await errorsOf(query))).toEqual(expected);
});

test('an invalid variable has the location of its definition', async () => {
  const query = 'query Q(\n  $id: ID!\n  $first: Int\n) { space(id: $id) { comments(first: $first) { totalCount } } }';
  for (const variables of [{}, { id: 'space_x', first: 'many' }]) {
    const document = parse(query);
    const [definition] = document.definitions;
    const definitions = definition && 'variableDefinitions' in definition ? (definition.variableDefinitions ?? []) : [];
    const { errors = [] } = getVariableValues(schema, definitions as never, variables);
    expect(errors[0]?.locations).toHaveLength(1);
    expect(placesOf(await errorsOf(query, variables))).toEqual(placesOf(errors));
  }
});

test('a variable that a required argument lacks has the locations of the argument', async () => {
  const query = 'query Q($ids: [ID!]! = ["x"]) {\n  nodes(ids: $ids) { id }\n  \n}';
  expect(placesOf(await errorsOf(query, { ids: null }))).toEqual([{ locations: [{ line: 1, column: 9 }] }]);
});

test('errors of fields have the location and the path of their field', async () => {
  const query = `query Q($org: ID!) {
  viewer { id }
  organization(id: $org) {
    hooks: webhooks(first: 5) { totalCount }
    events(first: 5) { nodes { id } }
    ...More
  }
}
fragment More on Organization {
  spaces(first: 1000) { totalCount }
}`;
  const errors = await errorsOf(query, { org: organizationId }, reader);
  const places = placesOf(errors).sort((a, b) => String(a.path).localeCompare(String(b.path)));
  expect(places).toEqual([
    { locations: [{ line: 5, column: 5 }], path: ['organization', 'events'] },
    { locations: [{ line: 4, column: 5 }], path: ['organization', 'hooks'] },
    { locations: [{ line: 10, column: 3 }], path: ['organization', 'spaces'] },
  ]);
});

test('the error of a field that is selected at several places has all of them, and lists their index', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs' }, 'space { id }');
  const query = `query Q($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Space { comments(first: 1000) { totalCount } }
    ... on Space { comments(first: 1000) { nodes { id } } }
  }
}`;
  expect(placesOf(await errorsOf(query, { ids: [space.id] }))).toEqual([
    {
      locations: [
        { line: 3, column: 20 },
        { line: 4, column: 20 },
      ],
      path: ['nodes', 0, 'comments'],
    },
  ]);
});

test('the error of a mutation and of a subscription has its location and path', async () => {
  const mutation = `mutation M {\n\n    moved: moveSpace(input: { spaceId: "space_x" }) { space { id } }\n}`;
  expect(placesOf(await errorsOf(mutation))).toEqual([{ locations: [{ line: 3, column: 5 }], path: ['moved'] }]);
  const query = 'subscription S {\n  spaceUpdated(id: "space_x") { id }\n}';
  const stream = new Stream(admin, { query, variables: {} });
  await expect.poll(() => stream.isOver).toBe(true);
  expect(placesOf(stream.answers[0].errors)).toEqual([{ locations: [{ line: 2, column: 3 }], path: ['spaceUpdated'] }]);
});
