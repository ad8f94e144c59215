import type { GraphQLInterfaceType, GraphQLSchema } from 'graphql';
import { type FindById, findableById } from '../find-by-id.ts';
import type { IdPrefix } from '../ids.ts';
import { builder, type TypeRef } from './builder.ts';
import { nameIds } from './global-ids.ts';

export { nodePrefixes } from './global-ids.ts';

/** For types and interfaces that `registerNode` does not know: they are found by another type of their kind, or not at all. */
export const Node = builder.nodeInterfaceRef();

/** How the objects of a type say their id. */
interface NodeId<Row> {
  description: string;
  /** Default: the member `id`. */
  resolve?(row: Row): string;
}

// biome-ignore lint/suspicious/noExplicitAny: one map for the rows of all types.
const readers = new Map<string, NodeId<any>['resolve']>();

/**
 * Makes a type a `Node` that `node` and `nodes` find by the ids of a kind. Objects of another type of the same kind name that
 * in `__typename`. What is found is remembered by loaders alone, which forget it after a mutation; the plugin would remember
 * it for as long as the request lasts.
 */
export function registerNode<Row>(type: TypeRef<Row>, prefix: IdPrefix, find: FindById, id?: NodeId<Row>): void {
  const resolve = id?.resolve ?? ((row: Row) => (row as { id: string }).id);
  builder.nodeRef(type, {
    id: { ...id, resolve },
    loadWithoutCache: (key, ctx) => find(ctx, key) as Promise<Row | null | undefined>, // by the kind of the id
  });
  if (id?.resolve) readers.set(type.name, id.resolve);
  nameIds(prefix, type.name);
  findableById(prefix, find);
}

/**
 * Reads ids as they are: they need not be made from a type's name and a key, which takes the plugin two promises for every
 * object of an answer. Types that only say that they are nodes get theirs here, too.
 */
export function withPlainIds(schema: GraphQLSchema): GraphQLSchema {
  const node = schema.getType('Node') as GraphQLInterfaceType; // made above
  for (const type of schema.getImplementations(node).objects) {
    const { id } = type.getFields();
    if (id) id.resolve = readers.get(type.name);
  }
  return schema;
}
