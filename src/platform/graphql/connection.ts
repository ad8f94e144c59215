import { z } from 'zod';
import type { Context } from '../context.ts';
import { type Operation, parse } from '../operation.ts';
import type { Listed, Page, Paging } from '../paging/page.ts';
import { type ConnectionArgs, DEFAULT_PAGE_SIZE, MAX_CONNECTION_SIZE, relayPaging } from '../paging/relay.ts';
import { argumentsOf } from './arguments.ts';
import { builder, type FieldsOf, type InterfaceOf, type TypeRef } from './builder.ts';
import { readInGraph } from './coverage.ts';

/** A connection under way: rows and count are read when a field that needs them is. */
class Connection<Row> {
  readonly #listed: Listed<Row>;
  readonly #paging: Paging;
  #page: Promise<Page<Row>> | undefined;

  constructor(listed: Listed<Row>, paging: Paging) {
    this.#listed = listed;
    this.#paging = paging;
  }

  get listed(): Listed<Row> {
    return this.#listed;
  }

  page(): Promise<Page<Row>> {
    this.#page ??= this.#listed.page(this.#paging);
    return this.#page;
  }

  total(): Promise<number> {
    return this.#listed.total();
  }
}

interface Edge<Row> {
  node: Row;
  page: Page<Row>;
}

const PageInfo = builder.objectRef<Page<unknown>>('PageInfo').implement({
  description: 'Where a page of a connection stands (GraphQL Cursor Connections Specification, "PageInfo").',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNext', { description: 'Whether items follow. Exact when paging with `first`.' }),
    hasPreviousPage: t.exposeBoolean('hasPrevious', {
      description: 'Whether items come before. Exact when paging with `last`.',
    }),
    startCursor: t.string({
      nullable: true,
      description: 'Cursor of the first item; null on an empty page. Give it as `before`.',
      resolve: (page) => (page.rows.length > 0 ? page.cursorOf(page.rows[0]) : null),
    }),
    endCursor: t.string({
      nullable: true,
      description: 'Cursor of the last item; null on an empty page. Give it as `after`.',
      resolve: (page) => (page.rows.length > 0 ? page.cursorOf(page.rows.at(-1)) : null),
    }),
  }),
});

// biome-ignore lint/suspicious/noExplicitAny: one map for the connection types of all rows.
const connectionTypes = new Map<string, TypeRef<Connection<any>>>();

/** `SpaceConnection` and `SpaceEdge` of a node type, made once however many fields use them. Rooms may add fields to it. */
export function connectionType<Row>(name: string, node: TypeRef<Row> | InterfaceOf<Row>): TypeRef<Connection<Row>> {
  const known = connectionTypes.get(name);
  if (known) return known;
  const edgeRef = builder.objectRef<Edge<Row>>(`${name}Edge`).implement({
    description: `An item of a list of ${name}s, with its place in it.`,
    fields: (t) => ({
      cursor: t.string({
        description: 'The place of the item in this list with these arguments. Opaque.',
        resolve: ({ node: row, page }) => page.cursorOf(row),
      }),
      // biome-ignore lint/suspicious/noExplicitAny: Row is the shape behind `node`, which generics here cannot tie.
      node: t.field({ type: node as any, description: 'The item.', resolve: (edge) => edge.node as any }),
    }),
  });
  const ref = builder.objectRef<Connection<Row>>(`${name}Connection`).implement({
    description: `A page of a list of ${name}s (GraphQL Cursor Connections Specification).`,
    fields: (t) => ({
      edges: t.field({
        type: [edgeRef],
        description: 'The items with their cursors.',
        resolve: async (connection) => {
          const page = await connection.page();
          return page.rows.map((row) => ({ node: row, page }));
        },
      }),
      nodes: t.field({
        // biome-ignore lint/suspicious/noExplicitAny: as above.
        type: [node as any],
        description: 'The items without their cursors.',
        // biome-ignore lint/suspicious/noExplicitAny: as above.
        resolve: async (connection) => (await connection.page()).rows as any[],
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'Where this page stands.',
        resolve: (connection) => connection.page() as Promise<Page<unknown>>,
      }),
      totalCount: t.int({
        description: 'How many items there are over all pages. Counted only when asked for.',
        resolve: (connection) => connection.total(),
      }),
    }),
  });
  connectionTypes.set(name, ref);
  return ref;
}

/** Options of a connection field. */
export interface ConnectionOptions<Parent, Row, Input extends z.ZodObject> {
  type: TypeRef<Row> | InterfaceOf<Row>;
  /** The operation that lists the same through REST: it gives the arguments and the description. */
  operation: Operation<Input, Listed<Row>>;
  /** Members of the operation's input that the parent supplies, and that are therefore no arguments. */
  from(parent: Parent): Partial<z.input<Input>>;
  /** Lists for a parent that the viewer was already allowed to see. Default: the operation itself. */
  list?(parent: Parent, input: z.output<Input>, ctx: Context): Listed<Row> | Promise<Listed<Row>>;
  description?: string;
  /** Give true when seeing the parent is not enough to list: a refusal then nulls this field alone. */
  nullable?: boolean;
  /** Names the members of `from`, which are left out of the arguments. */
  without: (keyof z.input<Input> & string)[];
}

/** A field that lists: Relay's arguments, 1 to 100 items, rows and count read lazily and batched over parents. */
export function connection<Parent, Row, Input extends z.ZodObject>(
  t: FieldsOf<Parent>,
  options: ConnectionOptions<Parent, Row, Input>,
) {
  const { type, operation, from, list, without } = options;
  readInGraph(operation);
  const own = z.object(
    Object.fromEntries(Object.entries(operation.input.shape).filter(([name]) => !without.includes(name))),
  );
  return t.field({
    type: connectionType(type.name, type),
    nullable: options.nullable ?? false,
    description: options.description ?? operation.description,
    args: { ...argumentsOf(own, operation.operationName, t), ...pagingArgs(t) },
    resolve: async (parent: Parent, args: Record<string, unknown>, ctx: Context) => {
      const { first, after, last, before, ...given } = args;
      const paging = relayPaging({ first, after, last, before } as ConnectionArgs); // the types of pagingArgs
      const input = { ...given, ...from(parent) } as z.input<Input>; // the arguments come from the same schema
      if (!list) return new Connection(await operation(ctx, input), paging);
      return new Connection(await list(parent, parse(operation.input, input), ctx), paging);
    },
  });
}

// biome-ignore lint/suspicious/noExplicitAny: Pothos' field builder of any parent.
const pagingArgs = (t: any) => ({
  first: t.arg.int({
    description: `How many items from the start, 1 to ${MAX_CONNECTION_SIZE}. Default ${DEFAULT_PAGE_SIZE}.`,
  }),
  after: t.arg.string({ description: 'Only items after this cursor of the same list.' }),
  last: t.arg.int({
    description: `How many items from the end, 1 to ${MAX_CONNECTION_SIZE}. Not together with \`first\`.`,
  }),
  before: t.arg.string({ description: 'Only items before this cursor of the same list. Goes with `last`.' }),
});
