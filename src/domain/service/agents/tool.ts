import { z } from 'zod';
import type { Scope } from '../../../platform/access/scopes.ts';
import type { Agent, RestCall } from './agent.ts';
import { fits } from './answer.ts';

/** A tool of the endpoint. Made by `tool` and `listTool`. */
export interface Tool {
  name: string;
  description: string;
  input: z.ZodObject;
  /** What the answer has in `data`. */
  output: z.ZodObject;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  /** Scope that the access token must name. Without it, the tool is not offered. */
  scope?: Scope;
  run(agent: Agent, input: Record<string, unknown>): Promise<unknown>;
}

/** Effect of a tool. Adding can be undone in the change request; overwriting replaces what others wrote there. */
type Effect = 'reads' | 'adds' | 'overwrites' | 'sends';

const ANNOTATIONS: Record<Effect, Tool['annotations']> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  overwrites: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  sends: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
};

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  description: string;
  effect: Effect;
  input: Input;
  output: Output;
  scope?: Scope;
  run(agent: Agent, input: z.output<Input>): Promise<unknown>;
}

/** Declares a tool. What `run` returns is reduced to the properties of `output`. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>({
  effect,
  run,
  ...rest
}: Definition<Input, Output>): Tool {
  return {
    ...rest,
    annotations: ANNOTATIONS[effect],
    run: async (agent, input) => rest.output.parse(await run(agent, input as z.output<Input>)), // checked by the endpoint
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

const listed = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item).describe('The items.'),
    nextCursor: z.string().optional().describe('Cursor of the next page. Left out on the last one.'),
  });

interface ListDefinition<Input extends z.ZodRawShape, Item extends z.ZodType> {
  name: string;
  description: string;
  input: Input;
  item: Item;
  /** The route of REST that lists the items. */
  list(input: z.output<z.ZodObject<Input>>): [operationId: string, given: RestCall];
  /** Makes an item of a row of the route, if it is more than some of its properties. */
  itemOf?(row: Record<string, unknown>, input: z.output<z.ZodObject<Input>>): unknown;
}

interface RestPage {
  items: Record<string, unknown>[];
  next?: { page: string };
}

/** Declares a tool for a list of REST. Its pages have as many items as fit into an answer. */
export function listTool<Input extends z.ZodRawShape, Item extends z.ZodType>({
  input,
  item,
  list,
  itemOf = (row) => row,
  ...rest
}: ListDefinition<Input, Item>): Tool {
  return pagedTool({
    ...rest,
    input,
    item,
    async page(agent, given, { cursor, limit }) {
      const [operationId, call] = list(given);
      const query = { ...call.query, page: cursor, limit };
      const { items, next } = (await agent.rest(operationId, { ...call, query })) as RestPage; // all lists answer so
      return { items: items.map((row) => itemOf(row, given)), nextCursor: next?.page };
    },
  });
}

interface PagedDefinition<Input extends z.ZodRawShape, Item extends z.ZodType> {
  name: string;
  description: string;
  input: Input;
  item: Item;
  page(
    agent: Agent,
    input: z.output<z.ZodObject<Input>>,
    paging: { cursor: string | undefined; limit: number },
  ): Promise<{ items: unknown[]; nextCursor?: string | undefined }>;
}

/** Declares a tool for a list. A page that does not fit into an answer is read again with fewer items. */
export function pagedTool<Input extends z.ZodRawShape, Item extends z.ZodType>({
  input,
  item,
  page,
  ...rest
}: PagedDefinition<Input, Item>): Tool {
  const output = listed(item);
  return tool({
    ...rest,
    effect: 'reads',
    input: z.strictObject({ ...input, ...paging }),
    output,
    async run(agent, given) {
      const { cursor, limit, ...own } = given as z.output<z.ZodObject<typeof paging>>; // the rest is of `input`
      for (let size = limit; ; size = Math.floor(size / 2)) {
        const read = await page(agent, own as unknown as z.output<z.ZodObject<Input>>, { cursor, limit: size });
        const shown = output.parse(read);
        if (size === 1 || fits(shown)) return shown;
      }
    },
  });
}
