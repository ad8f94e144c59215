import { type GraphQLResolveInfo, type GraphQLSchema, isObjectType } from 'graphql';
import { z } from 'zod';
import { requireScope } from '../access/actor.ts';
import type { Context } from '../context/context.ts';
import { isOpenTo, type Operation, parse } from '../operation/operation.ts';
import { type Listed, type ListPage, NOTHING, type Paging } from '../paging/page.ts';
import { type ConnectionArgs, relayPaging, sizeDescriptions } from '../paging/relay.ts';
import { andThen } from '../reads/loader.ts';
import { requestSlot } from '../reads/request-slot.ts';
import { builder, type FieldsOf, type InterfaceOf, type TypeRef } from './builder.ts';
import { argumentsOf } from './input.ts';
import { isConnection, maxSizeExtension } from './limits/cost.ts';
import { readInGraph } from './operations-in-graph.ts';

/** A connection. Rows and count are read when they are selected. */
class Connection<Row> {
  readonly listed: Listed<Row>;
  readonly #paging: Paging;
  #page: Promise<ListPage<Row>> | undefined;

  constructor(listed: Listed<Row>, paging: Paging) {
    this.listed = listed;
    this.#paging = paging;
  }

  get edges(): Promise<Edge<Row>[]> {
    return this.#read().then((page) => page.rows.map((row) => new Edge(row, page)));
  }

  get nodes(): Promise<Row[]> {
    return this.#read().then(({ rows }) => rows);
  }

  get pageInfo(): Promise<PageInfo> {
    return this.#read().then((page) => new PageInfo(page as ListPage<unknown>)); // it only makes cursors of rows
  }

  #read(): Promise<ListPage<Row>> {
    this.#page ??= this.listed.page(this.#paging);
    return this.#page;
  }
}

/** An edge. Its cursor is signed when it is selected. */
class Edge<Row> {
  readonly node: Row;
  readonly #page: ListPage<Row>;

  constructor(node: Row, page: ListPage<Row>) {
    this.node = node;
    this.#page = page;
  }

  get cursor(): string {
    return this.#page.cursorOf(this.node);
  }
}

class PageInfo {
  readonly #page: ListPage<unknown>;

  constructor(page: ListPage<unknown>) {
    this.#page = page;
  }

  get hasNextPage(): boolean {
    return this.#page.hasNext;
  }

  get hasPreviousPage(): boolean {
    return this.#page.hasPrevious;
  }

  get startCursor(): string | null {
    const { rows, cursorOf } = this.#page;
    return rows.length > 0 ? cursorOf(rows[0]) : null;
  }

  get endCursor(): string | null {
    const { rows, cursorOf } = this.#page;
    return rows.length > 0 ? cursorOf(rows.at(-1)) : null;
  }
}

/** Makes `nodes` read the rows of a page. The plugin would create an edge for each. Changes the schema in place. */
export function withDirectNodes(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    const nodes = isObjectType(type) && isConnection(type) && type.getFields().nodes;
    if (nodes) nodes.resolve = (connection: Connection<unknown>) => connection.nodes;
  }
  return schema;
}

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description: 'Number of items on all pages of the list. Counted only when selected.',
    resolve: (connection) => (connection as unknown as Connection<unknown>).listed.total(), // what `connection` resolves to
  }),
);

// biome-ignore lint/suspicious/noExplicitAny: one map for the connection types of all rows.
const connectionTypes = new Map<string, TypeRef<Connection<any>>>();

/** What connects a node to its parent, such as a role, as fields of the edges. */
export interface EdgeFields<Row> {
  /** The types are `<name>Connection` and `<name>Edge`, so that other lists of the node type do not have the fields. */
  name: string;
  fields: Record<string, EdgeField<Row>>;
}

/** A field of an edge, read from the row of its node. */
interface EdgeField<Row> {
  // biome-ignore lint/suspicious/noExplicitAny: a reference to any type of the graph, or the name of a scalar.
  type: any;
  description: string;
  resolve(row: Row, ctx: Context): unknown;
}

/** The connection type of a node type, such as `SpaceConnection`. Made once. Modules can add fields to it. */
export function connectionType<Row>(
  name: string,
  node: TypeRef<Row> | InterfaceOf<Row>,
  edgeFields: EdgeFields<Row>['fields'] = {},
): TypeRef<Connection<Row>> {
  const existing = connectionTypes.get(name);
  if (existing) return existing;
  const ref = builder.connectionObject(
    {
      // biome-ignore lint/suspicious/noExplicitAny: Row is the shape behind `node`, which generics here cannot tie.
      type: node as any,
      name: `${name}Connection`,
      description: `A page of a list of \`${node.name}\` objects (GraphQL Cursor Connections Specification).`,
    },
    {
      description: `An item of a list of \`${node.name}\` objects with its cursor.`,
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      fields: (t: any) =>
        Object.fromEntries(
          Object.entries(edgeFields).map(([field, { type, description, resolve }]) => [
            field,
            t.field({
              type,
              description,
              nullable: false,
              resolve: (edge: Edge<Row>, _args: unknown, ctx: Context) => resolve(edge.node, ctx),
            }),
          ]),
        ),
    },
  ) as unknown as TypeRef<Connection<Row>>; // whose members are those that the plugin reads
  connectionTypes.set(name, ref);
  return ref;
}

/** Options of a connection field. */
export interface ConnectionOptions<Parent, Row, Input extends z.ZodObject, Item extends Row = Row> {
  type: TypeRef<Row> | InterfaceOf<Row>;
  /** The list operation. It defines the arguments and the description. */
  operation: Operation<Input, Listed<Item>>;
  /** The property of the operation's input that is the id of the parent, and therefore not an argument. */
  parent?: keyof z.input<Input> & string;
  /** Instead of `parent`: properties of the operation's input that come from the parent. */
  from?(parent: Parent): Partial<z.input<Input>>;
  /**
   * Lists without checking access to the parent again. Default: the operation itself. For callers without an account,
   * the list is empty unless the operation is open to them.
   */
  list?(parent: Parent, input: z.output<Input>, ctx: Context): Listed<Item> | Promise<Listed<Item>>;
  description?: string;
  /** True if listing needs more than access to the parent: an error then nulls only this field. */
  nullable?: boolean;
  /** Fields of the edges. Items then have more than the rows of the node type. */
  edges?: EdgeFields<Item>;
  /** Maximum number of items of a page. Default 100. */
  maxSize?: number;
  /** Names of the properties of `from`, which are not arguments. */
  without?: (keyof z.input<Input> & string)[];
}

/** A selected connection with its arguments, read once for all parents that have it, such as the items of a list. */
interface Selected<Input extends z.ZodObject> {
  fieldNodes: GraphQLResolveInfo['fieldNodes'];
  args: ConnectionArgs;
  paging: Paging;
  values: z.input<Input>;
  /** Only of connections with their own `list`. */
  input: z.output<Input> | undefined;
}

/**
 * A connection field with 1 to `maxSize` items per page. Rows and count are read when selected, and batched over
 * parents.
 */
export function connection<Parent, Row, Input extends z.ZodObject, Item extends Row = Row>(
  t: FieldsOf<Parent>,
  options: ConnectionOptions<Parent, Row, Input, Item>,
) {
  const { operation, parent: idOfParent, list, maxSize } = options;
  const without: string[] = idOfParent === undefined ? (options.without ?? []) : [idOfParent];
  const from = (parent: Parent) =>
    idOfParent === undefined ? options.from?.(parent) : { [idOfParent]: (parent as { id: string }).id }; // of a node
  readInGraph(operation);
  const inputSchema = z.object(
    Object.fromEntries(Object.entries(operation.input.shape).filter(([name]) => !without.includes(name))),
  );
  const read = (args: ConnectionArgs, parent: Parent, { fieldNodes }: GraphQLResolveInfo): Selected<Input> => {
    const { first, after, last, before, ...rest } = args;
    const input = { ...rest, ...from(parent) } as z.input<Input>; // the arguments come from the same schema
    return {
      fieldNodes,
      args,
      paging: relayPaging({ first, after, last, before }, maxSize),
      values: input,
      input: list && parse(operation.input, input),
    };
  };
  const latest = requestSlot<Context, Selected<Input>>('connection');
  const resolve = (parent: Parent, args: ConnectionArgs, ctx: Context, info: GraphQLResolveInfo) => {
    let selected = latest.get(ctx);
    if (!selected || selected.fieldNodes !== info.fieldNodes || !shallowEqual(selected.args, args)) {
      selected = read(args, parent, info);
      latest.set(ctx, selected);
    }
    const { paging, values, input } = selected;
    requireScope(ctx.actor, operation.scope);
    // Who sees the parent need not see all that belongs to it: a preview shows a change request without its comments.
    if (list && !isOpenTo(ctx, operation)) return new Connection<Item>(NOTHING, paging);
    const listed =
      list && input ? list(parent, { ...input, ...from(parent) }, ctx) : operation(ctx, { ...values, ...from(parent) });
    return andThen(listed, (ready) => new Connection(ready, paging));
  };
  return t.field({
    // biome-ignore lint/suspicious/noExplicitAny: Row is the shape behind the reference, which generics here cannot tie.
    type: connectionTypeOf(options) as any,
    nullable: options.nullable ?? false,
    description: options.description ?? operation.description,
    extensions: maxSizeExtension(maxSize),
    args: { ...argumentsOf(inputSchema, operation.operationName, t), ...pagingArguments(t, maxSize) },
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    resolve: resolve as any,
  });
}

const connectionTypeOf = <Row>({ type, edges }: { type: TypeRef<Row> | InterfaceOf<Row>; edges?: EdgeFields<Row> }) =>
  edges ? connectionType(edges.name, type, edges.fields) : connectionType(type.name, type);

/** The arguments of all connections. Those with the number of items say how many the connection allows. */
function pagingArguments<Parent>(t: FieldsOf<Parent>, maxSize: number | undefined) {
  const usual = t.arg.connectionArgs();
  if (maxSize === undefined) return usual;
  const { first, last } = sizeDescriptions(maxSize);
  return { ...usual, first: t.arg.int({ description: first }), last: t.arg.int({ description: last }) };
}

/** Whether two values are identical, or objects with identical members. */
function shallowEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(other);
  return names.length === Object.keys(one).length && names.every((name) => one[name] === other[name]);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
