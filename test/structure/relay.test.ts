import {
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';

const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
const connections = objects.filter(({ name }) => name.endsWith('Connection'));
const fieldOf = (type: GraphQLObjectType, name: string) =>
  type.getFields()[name]?.type ?? expect.fail(`${type}.${name}`);
const objectOf = (type: GraphQLObjectType, name: string) => getNamedType(fieldOf(type, name)) as GraphQLObjectType; // of a connection's own parts

test('finds connections', () => expect(connections.length).toBeGreaterThan(10));

test.each(connections)('$name has edges and a pageInfo (GraphQL Cursor Connections Specification, 2)', (connection) => {
  const edge = objectOf(connection, 'edges');
  expect(isListType(getNullableType(fieldOf(connection, 'edges')))).toBe(true);
  expect(edge.name).toBe(connection.name.replace(/Connection$/, 'Edge'));
  expect(String(fieldOf(edge, 'cursor'))).toBe('String!');
  const node = getNullableType(fieldOf(edge, 'node'));
  expect(isCompositeType(node)).toBe(true);
  expect(getNamedType(fieldOf(connection, 'nodes'))).toBe(node);
  expect(String(fieldOf(connection, 'pageInfo'))).toBe('PageInfo!');
});

test('connections take the pagination arguments', () => {
  const fields = objects.flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
  for (const { type, field } of fields.filter(({ field: { type } }) =>
    connections.includes(getNamedType(type) as never),
  )) {
    const types = Object.fromEntries(field.args.map((argument) => [argument.name, String(argument.type)]));
    expect([`${type}.${field.name}`, types.first, types.after, types.last, types.before]).toEqual([
      `${type}.${field.name}`,
      'Int',
      'String',
      'Int',
      'String',
    ]);
  }
});

/**
 * Connections over what is no node, and why it is none. Caches keep such items by their place in the list; where an
 * item stands for a node, it has a field that is this node.
 */
const NO_NODES: Record<string, string> = {
  UntranslatedPage: 'it counts texts of a page, which is a node of the space',
  ContentLink: 'a reference in a body: it has its place there and no id',
  ContentLocation: 'a place in content; what it is in has a field each (space, page, file and so on)',
  IssuesClusterPage: 'a view of a page, which is in `page`',
  DeadJob: 'jobs are no resources: operators retry them by `jobId`',
  EffectivePermission: 'computed from the membership, grants and default levels; the member is in `user`',
  MergeConflict: 'computed from two versions at each reading; its id names it for a resolution',
  OpenApiLintProblem: 'computed from the source of a version; it has its place in that version',
  OpenApiChange: 'computed from two versions when the later one is processed; it has its place in that version',
  PermissionGrant:
    'a role of a user or team on a resource, which has a field each; it is granted and revoked by their ids',
  SearchPageResult: 'a view of a page, which is in `page`',
  SearchSpaceResult: 'a view of a space, which is in `space`',
  SemanticChange: 'computed from two revisions at each reading; the page is in `page`',
  WebhookDelivery: 'an entry of a log that is removed after a while; it is sent again by `deliveryId`',
};

test('the items of a connection are nodes, or are listed with a reason', () => {
  const isNode = (type: unknown) =>
    (isObjectType(type) || isInterfaceType(type)) && type.getInterfaces().some(({ name }) => name === 'Node');
  const others = connections.filter((connection) => !isNode(objectOf(connection, 'nodes')));
  expect(others.map(({ name }) => name.replace(/Connection$/, '')).sort()).toEqual(Object.keys(NO_NODES).sort());
});

test('PageInfo has the fields that Relay requires', () => {
  const fields = (schema.getType('PageInfo') as GraphQLObjectType).getFields(); // every connection has it
  expect(
    Object.values(fields)
      .map(({ name, type }) => `${name}: ${type}`)
      .sort(),
  ).toEqual(['endCursor: String', 'hasNextPage: Boolean!', 'hasPreviousPage: Boolean!', 'startCursor: String']);
});

test('every mutation takes one input and returns clientMutationId', () => {
  for (const { name, args, type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const [input] = args;
    expect([name, args.length, input && isNonNullType(input.type)]).toEqual([name, 1, true]);
    const inputType = input && getNamedType(input.type);
    expect(isInputObjectType(inputType) && String(inputType.getFields().clientMutationId?.type)).toBe('ID');
    const payload = getNamedType(type) as GraphQLObjectType; // Relay's payloads are objects
    expect(String(payload.getFields().clientMutationId?.type)).toBe('ID');
  }
});
