import DataLoader from 'dataloader';
import type { RawBuilder } from 'kysely';
import type { Context } from '../context/context.ts';
import { requestCache } from '../reads/request-cache.ts';
import type { AccessSql } from './access-filter.ts';
import { type CursorCodec, cursorCodec } from './cursor.ts';
import { type ListDefinition, listSql, orderSql } from './list-definition.ts';
import {
  countStatement,
  type ListSql,
  PARENT_COLUMN,
  PARENT_ID,
  type PageClause,
  pageClause,
  pageStatement,
} from './list-statements.ts';
import type { OrderPart } from './order.ts';
import type { Listed, ListPage, Paging } from './page.ts';
import { readSharedList } from './shared-list.ts';

export { PARENT_ID };

/**
 * Declares a list with keyset pagination. The returned function lists the items of one parent. Within a request, pages
 * of several parents with the same arguments are read in one statement (a lateral join), and so are counts.
 */
export function listing<Args, Row extends Record<string, unknown>, Conditions = undefined>(
  definition: ListDefinition<Args, Row, Conditions>,
) {
  const cacheKey = `list:${++listings}`;
  return (ctx: Context, parentId: string, args: Args): Listed<Row> => {
    const binding = `${definition.name}:${JSON.stringify(args)}`;
    const make = () => new BoundListing(ctx, definition, args, binding);
    const list = requestCache(ctx, `${cacheKey} ${binding}`, make);
    return { countsRows: true, page: (paging) => list.page(parentId, paging), total: () => list.total(parentId) };
  };
}

/** Number of listings so far, which tells them apart. */
let listings = 0;

/** A list with its arguments in a request, of any number of parents. */
class BoundListing<Args, Row extends Record<string, unknown>, Conditions> {
  readonly #args: Args;
  readonly #ctx: Context;
  readonly #definition: ListDefinition<Args, Row, Conditions>;
  readonly #order: readonly OrderPart<keyof Row & string>[];
  readonly #codec: CursorCodec;
  readonly #pages = new Map<string, DataLoader<string, ListPage<Row>>>();
  #totals: DataLoader<string, number> | undefined;

  constructor(ctx: Context, definition: ListDefinition<Args, Row, Conditions>, args: Args, binding: string) {
    this.#args = args;
    this.#ctx = ctx;
    this.#definition = definition;
    this.#order = typeof definition.order === 'function' ? definition.order(args) : definition.order;
    this.#codec = cursorCodec(ctx.services.secretKeys, binding, this.#order.length);
  }

  page(parentId: string, paging: Paging): Promise<ListPage<Row>> {
    return this.#pagesOf(paging).load(parentId);
  }

  total(parentId: string): Promise<number> {
    this.#totals ??= new DataLoader((parentIds) => this.#readTotals(parentIds));
    return this.#totals.load(parentId);
  }

  #pagesOf(paging: Paging): DataLoader<string, ListPage<Row>> {
    const key = `${paging.direction}:${paging.size}:${paging.cursor ?? ''}`;
    const existing = this.#pages.get(key);
    if (existing) return existing;
    const pages = new DataLoader<string, ListPage<Row>>((parentIds) => this.#readPages(paging, parentIds));
    this.#pages.set(key, pages);
    return pages;
  }

  async #readPages(paging: Paging, parentIds: readonly string[]): Promise<ListPage<Row>[]> {
    const { size, direction, cursor } = paging;
    const path = [direction === 'forward' ? 'after' : 'before'];
    const after = cursor === undefined ? undefined : this.#codec.decode(cursor, path);
    const items = size === 0 ? undefined : await this.#readItems(paging, after, parentIds);
    const cursorOf = (row: Row) => this.#codec.encode(this.#order.map(({ key }) => row[key]));
    return parentIds.map((id) => {
      const rows = items?.get(id) ?? [];
      return toPage(rows[0]?.['is item'] ? rows : [], paging, cursorOf);
    });
  }

  #readItems(
    paging: Paging,
    after: unknown[] | undefined,
    parentIds: readonly string[],
  ): Promise<Map<string, Item<Row>[]>> {
    const end = pageClause(orderSql(this.#definition, this.#order), paging, after);
    const statement = (access: AccessSql<Conditions>) =>
      pageStatement<Item<Row>>(this.#sql(access, end), parentIds, access, end);
    return this.#read(parentIds, statement, paging.size + 1);
  }

  async #readTotals(parentIds: readonly string[]): Promise<number[]> {
    const totals = await this.#read(parentIds, (access) => countStatement(this.#sql(access), parentIds, access), 1);
    return parentIds.map((id) => totals.get(id)?.[0]?.total ?? 0);
  }

  #sql({ conditions }: AccessSql<Conditions>, end?: PageClause): ListSql {
    return listSql(this.#definition, this.#args, { ctx: this.#ctx, conditions }, end);
  }

  /** The rows of a statement that the caller may see, by parent: at most `maxRows` of each. */
  async #read<Found extends Record<string, unknown>>(
    parentIds: readonly string[],
    statement: (access: AccessSql<Conditions>) => RawBuilder<Found>,
    maxRows: number,
  ): Promise<Map<string, Found[]>> {
    const ctx = this.#ctx;
    const { access, isShared } = this.#definition;
    const read = async (access: AccessSql<Conditions>) =>
      isShared && !ctx.inTransaction
        ? [...(await readSharedList(ctx, statement(access), parentIds, maxRows)).values()].flat()
        : (await statement(access).execute(ctx.db)).rows;
    const rows = access ? await access(ctx, parentIds, read) : await read(NO_ACCESS_SQL);
    return Map.groupBy(rows, (row) => row[PARENT_COLUMN] as string); // a selected column
  }
}

/** Lists without conditions of access have no type for them. */
const NO_ACCESS_SQL: AccessSql<never> = { conditions: undefined as never };

/** A row of a parent, or the only one of a parent that has no items. */
type Item<Row> = Row & { 'is item': true | null };

/** Removes the additional row that was read to find out whether there are more. */
function toPage<Row>(
  rowsRead: Row[],
  { size, direction, cursor }: Paging,
  cursorOf: (row: Row) => string,
): ListPage<Row> {
  const hasCursor = cursor !== undefined;
  const hasMore = rowsRead.length > size && size > 0;
  const rows = hasMore ? rowsRead.slice(0, size) : rowsRead;
  if (direction === 'backward') return { rows: rows.toReversed(), hasNext: hasCursor, hasPrevious: hasMore, cursorOf };
  // Mostly selected twice: of the last edge, and as the end.
  const last = rows.at(-1);
  let endCursor: string | undefined;
  const cursorOnce = (row: Row) => {
    if (row !== last) return cursorOf(row);
    endCursor ??= cursorOf(row);
    return endCursor;
  };
  return { rows, hasNext: hasMore, hasPrevious: hasCursor, cursorOf: cursorOnce };
}
