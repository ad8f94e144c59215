import { z } from 'zod';
import type { Scope } from '../../../platform/access/scopes.ts';
import { runAdmitted } from '../../../platform/query-cost/admission.ts';
import type { Agent, RestCall } from './agent.ts';
import type { Rename } from './describe-fault.ts';
import { fitsInResult, maxFittingCount } from './result.ts';

/** A tool of the endpoint. Made by `tool`, `listTool` and `pagedTool`. */
export interface Tool {
  name: string;
  description: string;
  input: z.ZodObject;
  /** What the result has in `data`. */
  output: z.ZodObject;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  /** Scope that the access token must name. Without it, the tool is not offered. */
  scope?: Scope | undefined;
  /** Names of arguments for paths in errors of the operations that the tool runs. */
  rename: Rename;
  /** What to do about the data, if it is not what the caller wanted. */
  remedyOf?: ((data: Record<string, unknown>) => string | undefined) | undefined;
  run(agent: Agent, input: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/** Effect of a tool. Adding can be undone in the change request; overwriting replaces what others wrote there. */
type Effect = 'reads' | 'adds' | 'overwrites' | 'sends';

const ANNOTATIONS: Record<Effect, Tool['annotations']> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  overwrites: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  sends: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
};

const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe(
    'Any text that identifies this call. Repeated with the same key, for example after a lost answer, it has no second effect.',
  );

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  description: string;
  effect: Effect;
  input: Input;
  output: Output;
  scope?: Scope;
  rename?: Rename;
  remedyOf?(data: z.output<Output>): string | undefined;
  run(agent: Agent, input: z.output<Input>): Promise<unknown>;
}

/**
 * Declares a tool. What `run` returns is reduced to the properties of `output`. Tools that write take an idempotency
 * key.
 */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>({
  effect,
  run,
  input,
  rename = {},
  remedyOf,
  ...rest
}: Definition<Input, Output>): Tool {
  return {
    ...rest,
    annotations: ANNOTATIONS[effect],
    input: effect === 'reads' ? input : input.extend({ idempotencyKey }),
    rename: { 'Idempotency-Key': 'idempotencyKey', ...rename },
    remedyOf: remedyOf as Tool['remedyOf'], // gets what the schema has made
    async run(agent, { idempotencyKey: key, ...args }) {
      const caller = typeof key === 'string' ? agent.withKey(key) : agent;
      return rest.output.parse(await run(caller, args as z.output<Input>)); // checked by the endpoint
    },
  };
}

const MAX_ITEMS = 100;
const DEFAULT_ITEMS = 30;

/** The input of all lists. */
export const paging = {
  cursor: z.string().max(4096).optional().describe('`nextCursor` of the previous answer, to continue after it.'),
  limit: z
    .int()
    .min(1)
    .max(MAX_ITEMS)
    .default(DEFAULT_ITEMS)
    .describe(`Maximum number of items, 1 to ${MAX_ITEMS}. An answer has fewer if they would be more than 25 kB.`),
};

export const nextCursor = z.string().optional().describe('Cursor of the next page. Left out on the last one.');

const listed = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item).describe('The items.'), nextCursor });

/** Names of REST and of the graph for the arguments of lists. */
const PAGING_NAMES: Rename = { page: 'cursor', after: 'cursor' };

interface ListDefinition<Input extends z.ZodRawShape, Item extends z.ZodType> {
  name: string;
  description: string;
  input: Input;
  item: Item;
  rename?: Rename;
  remedyOf?(data: { items: z.output<Item>[] }): string | undefined;
  /** The route of REST that lists the items. */
  list(input: z.output<z.ZodObject<Input>>): [operationId: string, call: RestCall];
  /** Makes an item of a row of the route, if it is more than some of its properties. */
  itemOf?(row: Record<string, unknown>, input: z.output<z.ZodObject<Input>>): unknown;
}

interface RestPage {
  items: Record<string, unknown>[];
  next?: { page: string };
}

/** As long as most cursors. */
export const UNKNOWN_CURSOR = 'x'.repeat(100);

/**
 * Declares a tool for a list of REST. Only the route knows the cursor after an item: a page that does not fit is read
 * again.
 */
export function listTool<Input extends z.ZodRawShape, Item extends z.ZodType>({
  input,
  item,
  list,
  itemOf = (row) => row,
  rename = {},
  remedyOf,
  ...rest
}: ListDefinition<Input, Item>): Tool {
  const output = listed(item);
  return tool({
    ...rest,
    effect: 'reads',
    input: z.strictObject({ ...input, ...paging }),
    output,
    rename: { ...PAGING_NAMES, ...rename },
    remedyOf: remedyOf as (data: object) => string | undefined, // gets what the schema has made
    async run(agent, args) {
      const { cursor, limit, ...fields } = args as z.output<z.ZodObject<typeof paging>>; // the rest is of `input`
      const named = fields as unknown as z.output<z.ZodObject<Input>>;
      const [operationId, call] = list(named);
      const read = async (size: number) => {
        const query = { ...call.query, page: cursor, limit: size };
        const { items, next } = (await agent.rest(operationId, { ...call, query })) as RestPage; // all lists answer so
        return output.parse({ items: items.map((row) => itemOf(row, named)), nextCursor: next?.page });
      };
      let page = await read(limit);
      while (page.items.length > 1 && !fitsInResult(page)) {
        const { items, nextCursor: next = UNKNOWN_CURSOR } = page;
        const firstItems = (size: number) => ({ items: items.slice(0, size), nextCursor: next });
        page = await read(maxFittingCount(items.length - 1, firstItems));
      }
      return page;
    },
  });
}

interface PagedDefinition<Input extends z.ZodRawShape, Item extends z.ZodType, Row> {
  name: string;
  description: string;
  input: Input;
  item: Item;
  rename?: Rename;
  page(
    agent: Agent,
    input: z.output<z.ZodObject<Input>>,
    paging: { cursor: string | undefined; limit: number },
  ): Promise<{ rows: Row[]; hasNext: boolean; cursorOf(row: Row): string }>;
  itemOf(row: Row, agent: Agent): unknown;
}

/** Declares a tool for a list whose rows have a cursor each. It costs as much as a list of REST. */
export function pagedTool<Input extends z.ZodRawShape, Item extends z.ZodType, Row>({
  input,
  item,
  page: readPage,
  itemOf,
  rename = {},
  ...rest
}: PagedDefinition<Input, Item, Row>): Tool {
  const output = listed(item);
  return tool({
    ...rest,
    effect: 'reads',
    input: z.strictObject({ ...input, ...paging }),
    output,
    rename: { ...PAGING_NAMES, ...rename },
    async run(agent, args) {
      const { cursor, limit, ...fields } = args as z.output<z.ZodObject<typeof paging>>; // the rest is of `input`
      const named = fields as unknown as z.output<z.ZodObject<Input>>;
      return runAdmitted(agent.ctx, limit, async () => {
        const { rows, hasNext, cursorOf } = await readPage(agent, named, { cursor, limit });
        const items = await Promise.all(rows.map((row) => itemOf(row, agent)));
        const pageOf = (count: number) => {
          const last = rows[count - 1];
          const isLast = count === rows.length && !hasNext;
          return output.parse({
            items: items.slice(0, count),
            nextCursor: last === undefined || isLast ? undefined : cursorOf(last),
          });
        };
        return pageOf(maxFittingCount(rows.length, pageOf));
      });
    },
  });
}
