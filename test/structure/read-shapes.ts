import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { routes } from '../../src/routes.ts';
import { schema } from '../../src/schema.ts';
import { addressOf } from './calls.ts';
import { absentIds, type Ids, prefixOfName } from './furnish.ts';
import { listArguments, nodeTypeOf, selectField } from './selections.ts';

/** A request that reads. */
export interface ReadShape {
  kind: 'query' | 'route' | 'subscription';
  name: string;
  method: 'GET' | 'POST';
  path: string;
  query?: string;
  body?: string;
}

type Field = GraphQLField<unknown, unknown>;

/** A type of the graph, and how a query gets to an object of it. */
interface Place {
  type: GraphQLObjectType;
  around(selection: string): string;
}

/** How much is selected below a field. */
const DEPTH = 1;

/**
 * A query for every field of every type that queries reach, each alone below the shortest way to its type, and one for
 * all fields of each type, which ends with `.*`.
 */
export function queryShapes(ids: Ids): ReadShape[] {
  const shapes: ReadShape[] = [];
  const seen = new Set<GraphQLObjectType>();
  const places: Place[] = [{ type: schema.getQueryType() as GraphQLObjectType, around: (selection) => selection }];
  for (let place = places.shift(); place; place = places.shift()) {
    const { type, around } = place;
    if (seen.has(type)) continue;
    seen.add(type);
    const all: string[] = [];
    for (const field of Object.values(type.getFields())) {
      const given = argumentsFor(field, ids);
      if (given === undefined) continue;
      const below = field.name === 'node' ? nodePlaces(ids) : placesBelow(field, given, around);
      places.push(...below);
      const selected = selectWith(field, given);
      if (selected === '') continue;
      all.push(selected);
      shapes.push(inGraph('query', `${type.name}.${field.name}`, `{ ${around(selected)} }`));
    }
    shapes.push(inGraph('query', `${type.name}.*`, `{ ${around(all.join(' '))} }`));
  }
  return shapes;
}

/** The fields of all types that queries reach. Only payloads of mutations and subscriptions lead to the others. */
export function fieldsToRead(): string[] {
  const seen = new Set<GraphQLObjectType>();
  const waiting: GraphQLObjectType[] = [schema.getQueryType() as GraphQLObjectType];
  for (let type = waiting.pop(); type; type = waiting.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    for (const field of Object.values(type.getFields())) {
      const named = getNamedType(field.type);
      if (isObjectType(named)) waiting.push(named);
      else if (isAbstractType(named)) waiting.push(...schema.getPossibleTypes(named));
    }
  }
  return [...seen].flatMap((type) => Object.keys(type.getFields()).map((name) => `${type.name}.${name}`));
}

/** The route of every GET, and the subscription of every kind. */
export function routeShapes(ids: Ids): ReadShape[] {
  return routes
    .filter(({ method }) => method === 'GET')
    .map((route) => ({ kind: 'route', name: route.operationId, method: 'GET', path: addressOf(route, ids) }));
}

export function subscriptionShapes(ids: Ids): ReadShape[] {
  const fields = Object.values(schema.getSubscriptionType()?.getFields() ?? {});
  return fields.map((field) => {
    const target = field.args.find(({ name }) => name !== 'after' && name !== 'changeRequestId');
    const id = target && valueFor(field, target, ids);
    const selected = selectWith(field, target ? `${target.name}: ${id}` : '');
    return inGraph('subscription', field.name, `subscription { ${selected} }`);
  });
}

const inGraph = (kind: ReadShape['kind'], name: string, query: string): ReadShape => ({
  ...{ kind, name, method: 'POST', path: '/graphql' },
  query,
  body: JSON.stringify({ query }),
});

function selectWith(field: Field, given: string): string {
  const selected = selectField(field, DEPTH);
  return given === '' ? selected : selected.replace(callOf(field), `${field.name}(${given})`);
}

/** The name with the arguments that `selectField` gives it. */
const callOf = (field: Field): string =>
  nodeTypeOf(field.type) ? `${field.name}(${listArguments(field, 2)})` : field.name;

/** Nodes by their ids. */
const nodePlaces = (ids: Ids): Place[] =>
  schema.getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType).flatMap((type) => {
    const kind = prefixOfName(type.name);
    const id = kind && ids[kind];
    return id ? [{ type, around: (inner) => `node(id: "${id}") { ... on ${type.name} { ${inner} } }` }] : [];
  });

/** Where a field leads. */
function placesBelow(field: Field, given: string, around: Place['around']): Place[] {
  const nodes = nodeTypeOf(field.type);
  const named = getNamedType(nodes ?? field.type);
  if (isLeafType(named)) return [];
  const call = given === '' ? field.name : `${field.name}(${given})`;
  const open = (selection: string) => around(`${call} { ${nodes ? `nodes { ${selection} }` : selection} }`);
  const connection = getNamedType(field.type);
  const places = isAbstractType(named)
    ? schema
        .getPossibleTypes(named)
        .map((type) => ({ type, around: (inner: string) => open(`... on ${type.name} { ${inner} }`) }))
    : [{ type: named as GraphQLObjectType, around: open }]; // no input type
  if (!nodes || !isObjectType(connection)) return places;
  return [...places, { type: connection, around: (inner) => around(`${call} { ${inner} }`) }];
}

/** The arguments that a field cannot do without, and those of its list. Undefined if there is no value for one. */
function argumentsFor(field: Field, ids: Ids): string | undefined {
  const required = field.args
    .filter(isRequiredArgument)
    .map((argument) => [argument.name, valueFor(field, argument, ids)]);
  if (required.some(([, value]) => value === undefined)) return undefined;
  const given = required.map(([name, value]) => `${name}: ${value}`);
  if (field.name === 'page' && field.args.some(({ name }) => name === 'path')) given.push(`path: "${ids.path}"`);
  if (nodeTypeOf(field.type)) given.push(listArguments(field, 2));
  return given.join(' ');
}

function valueFor(field: Field, { name, type }: GraphQLArgument, ids: Ids): string | undefined {
  const nullable = getNullableType(type);
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (String(nullable) === 'Int') return '1';
  if (String(nullable) === 'Boolean') return 'true';
  if (String(nullable) === '[ID!]') return `[${JSON.stringify(ids.space)}, ${JSON.stringify(ids.page)}]`;
  if (String(nullable) === 'ID') return JSON.stringify(idFor(field, name, ids));
  return isLeafType(nullable) ? JSON.stringify(TEXTS(ids)[name] ?? 'something') : undefined;
}

function idFor(field: Field, name: string, ids: Ids): string {
  const kind = prefixOfName(name === 'id' ? getNamedType(field.type).name.replace('Node', 'space') : name);
  const asked = field.name.startsWith('spaceUpdated') ? 'space' : (kind ?? 'space');
  return ids[asked] ?? absentIds[asked] ?? '';
}

const TEXTS = (ids: Ids): Record<string, string | undefined> => ({
  ...{ path: ids.path, slug: ids.specSlug, hostname: ids.hostname, query: 'pixel' },
  ...{ url: ids.publishedUrl, source: '/old', language: 'de', method: 'get' },
});
