import type { GraphQLInterfaceType, GraphQLSchema } from 'graphql';
import { type FindById, findableById } from '../ids/find-by-id.ts';
import type { IdPrefix } from '../ids/ids.ts';
import { builder, type TypeRef } from './builder.ts';
import { nameIds } from './global-ids.ts';

export { nodePrefixes } from './global-ids.ts';

/** For types and interfaces without `registerNode`: another type with the same prefix finds them, or nothing does. */
export const Node = builder.nodeInterfaceRef();

/** The field `id` of a type. */
interface NodeId<Row> {
  description: string;
  /** Default: the property `id`. */
  resolve?(row: Row): string;
}

// biome-ignore lint/suspicious/noExplicitAny: one map for the rows of all types.
const readers = new Map<string, NodeId<any>['resolve']>();

/**
 * Makes a type a `Node` that `node` and `nodes` find by ids with a prefix. Objects of another type with the same prefix
 * set `__typename`. Only loaders cache objects, since they are cleared after mutations. The plugin's cache is not.
 */
export function registerNode<Row>(type: TypeRef<Row>, prefix: IdPrefix, find: FindById, id?: NodeId<Row>): void {
  const resolve = id?.resolve ?? ((row: Row) => (row as { id: string }).id);
  builder.nodeRef(type, {
    id: { ...id, resolve },
    loadWithoutCache: (key, ctx) => find(ctx, key) as Promise<Row | null | undefined>, // by the prefix of the id
  });
  if (id?.resolve) readers.set(type.name, id.resolve);
  nameIds(prefix, type.name);
  findableById(prefix, find);
}

/**
 * Resolves ids of nodes directly. The plugin would encode a type name and a key, with two promises for every object of
 * the response. Also adds resolvers to types that only implement `Node`.
 */
export function withPlainIds(schema: GraphQLSchema): GraphQLSchema {
  const node = schema.getType('Node') as GraphQLInterfaceType; // made above
  for (const type of schema.getImplementations(node).objects) {
    const { id } = type.getFields();
    if (id) id.resolve = readers.get(type.name);
  }
  return schema;
}
