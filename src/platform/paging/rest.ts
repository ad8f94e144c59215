import { z } from 'zod';
import { ApiError } from '../errors/errors.ts';
import type { Listed, ListPage, Paging } from './page.ts';
import { DEFAULT_PAGE_SIZE } from './relay.ts';

const MAX_REST_SIZE = 1000;
const SIZE_RULE = `must be a whole number from 0 to ${MAX_REST_SIZE}`;

/** The query parameters of all lists in REST, as strings. */
export const restPagingQuery = z.object({
  page: z.string().max(4096).optional().describe('Cursor of the page: `next.page` of the previous response.'),
  limit: z
    .string(SIZE_RULE)
    .regex(/^\d{1,9}$/, SIZE_RULE)
    .transform(Number)
    .pipe(z.int().min(0).max(MAX_REST_SIZE, SIZE_RULE))
    .default(DEFAULT_PAGE_SIZE)
    .describe(`Maximum number of items, 0 to ${MAX_REST_SIZE}.`),
});

/**
 * A list in REST. `next` is missing on the last page. `count` is the number of items on all pages, missing for
 * searches.
 */
export interface ListEnvelope<Item> {
  next?: { page: string };
  count?: number;
  items: Item[];
}

export async function restPage<Row, Item>(
  listed: Listed<Row>,
  { page, limit }: z.output<typeof restPagingQuery>,
  present: (rows: Row[]) => Promise<Item[]> | Item[],
): Promise<ListEnvelope<Item>> {
  const paging: Paging = { size: limit, direction: 'forward', cursor: page };
  const [result, count] = await (listed.countsRows && limit > 0
    ? pageFirst(listed, paging)
    : Promise.all([listed.page(paging).catch(renamed), listed.isUncounted ? undefined : listed.total()]));
  const last = result.rows.at(-1);
  return {
    ...(result.hasNext && last !== undefined ? { next: { page: result.cursorOf(last) } } : {}),
    ...(count === undefined ? {} : { count }),
    items: await present(result.rows),
  };
}

/** Short lists take one statement, long ones two after each other. */
async function pageFirst<Row>(listed: Listed<Row>, paging: Paging): Promise<[ListPage<Row>, number]> {
  const result = await listed.page(paging).catch(renamed);
  return [result, paging.cursor === undefined && !result.hasNext ? result.rows.length : await listed.total()];
}

/** Renames the path of an invalid cursor to the parameter of REST. */
function renamed(error: unknown): never {
  if (error instanceof ApiError && error.issues[0]?.path[0] === 'after') {
    throw new ApiError(error.code, error.message.replace(/^after/, 'page'), [{ ...error.issues[0], path: ['page'] }]);
  }
  throw error;
}
