import { type GraphQLObjectType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import type { Appearance } from '../resource/field.ts';
import { isConnection } from './cost.ts';

/** Resolvers that only return the property of the source with the name of the field. */
const plain = new WeakSet<object>();

/** Notes that a resolver only returns the property of the source with the name of the field. */
export function notePlain<Resolver extends object>(resolver: Resolver): Resolver {
  plain.add(resolver);
  return resolver;
}

/** A function that returns a property and does nothing else, such as `({ title }) => title`. */
const RETURNS_PROPERTY = /^\(\{ (\w+) \}\) => (\w+)$/;

/**
 * Whether a field of the graph is the property of the row with the same name, which its function shows. Only scalars and
 * enums: executors read properties without resolvers more than once for other types.
 */
export function isProperty({ type, read }: Pick<Appearance<never>, 'type' | 'read'>, name: string): boolean {
  if (type.kind !== 'scalar' && type.kind !== 'enum') return false;
  const [, taken, returned] = RETURNS_PROPERTY.exec(read.toString()) ?? [];
  return taken === name && returned === name;
}

/**
 * Removes resolvers that executors do not need. For a resolver the compiled query makes a path, information about the field
 * and three functions, for each object of the response; a property it reads directly. Changes the schema in place.
 */
export function withPlainFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields()))
      if (field.resolve && plain.has(field.resolve)) field.resolve = undefined;
    if (isConnection(type)) simplify(type);
  }
  return schema;
}

/** Reads connections, edges and `PageInfo` from the objects of `connection.ts`, without the functions of the plugin. */
function simplify(type: GraphQLObjectType): void {
  const { nodes, edges, pageInfo } = type.getFields();
  // The plugin would make an edge for each node.
  if (nodes) nodes.resolve = (source) => source.nodes;
  const edge = edges && getNamedType(edges.type);
  if (isObjectType(edge)) readDirectly(edge, ['node', 'cursor']);
  const info = pageInfo && getNamedType(pageInfo.type);
  if (isObjectType(info)) readDirectly(info, Object.keys(info.getFields()));
}

function readDirectly(type: GraphQLObjectType, names: readonly string[]): void {
  const fields = type.getFields();
  for (const name of names) {
    const field = fields[name];
    if (field) field.resolve = undefined;
  }
}
