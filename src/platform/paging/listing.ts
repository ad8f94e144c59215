import DataLoader from 'dataloader';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import { requestCache } from '../reads/request-cache.ts';
import type { Around, AroundParts } from './around.ts';
import { type CursorCodec, cursorCodec } from './cursor.ts';
import type { Listed, Page, Paging } from './page.ts';
import { rememberedTotal, rememberTotal } from './remembered-totals.ts';
import { isSame } from './same.ts';
import { PARENT, sharedStatement } from './shared-statement.ts';

/** A part of a sort key: a selected column that is never null, and its direction. */
export interface OrderPart<Row> {
  /** The expression to sort by, on tables of the `from` clause. */
  by: RawBuilder<unknown>;
  /** The property of the row with the same value. */
  key: keyof Row & string;
  direction: 'asc' | 'desc';
  /** SQL type that values of cursors are cast to. */
  type: 'text' | 'timestamptz' | 'integer' | 'bigint' | 'xid8';
}

/**
 * The end of a page's statement: the condition of the cursor, `order by` and `limit`, with the sort key's expressions in
 * one branch of a union. Empty in counts.
 */
export type Bounded = (...by: RawBuilder<unknown>[]) => RawBuilder<unknown>;

/** Declaration of a list, for both transports. */
export interface ListingDefinition<Args, Row, Conditions = undefined> {
  /** Name of the list in its cursors. */
  name: string;
  /** Selected columns, such as `s.*`. They must include every `key` of the order. */
  select: RawBuilder<unknown>;
  /**
   * `from … where …` for one parent, given as an SQL expression. Must include the conditions of permissions, so that they
   * apply to rows and counts: those of `around`, or others. Each branch of a union must end with `bounded`, so that no branch reads more rows than the
   * page needs.
   */
  from(
    parent: RawBuilder<string>,
    args: Args,
    ctx: Context,
    bounded: Bounded,
    conditions: Conditions,
  ): RawBuilder<unknown>;
  /**
   * Columns from other tables beside each item of a page, with a comma in front, and the join that reads them for `item`,
   * which must be lateral and give one row. Counts do not read them.
   */
  beside?: { columns: RawBuilder<unknown>; join: RawBuilder<unknown> };
  /** The same rows as `from`, in a form that is faster to count. Default: `from`. */
  counted?(parent: RawBuilder<string>, args: Args, ctx: Context, conditions: Conditions): RawBuilder<unknown>;
  /** Decides the caller's access to the parents or items. Without it, the list is the same for all callers. */
  around?: Around<Conditions>;
  /** Must end with an id, so that the order is total. */
  order(args: Args): OrderPart<Row>[];
  /**
   * `from` reads the parent, the arguments and the conditions only, and nothing of the request. Requests then share the
   * statements of first pages and counts, whose texts are made once.
   */
  isShared?: true;
  /**
   * Which items there are depends only on what decisions about access read: an item that is added, removed or moved gives
   * the organization a new version of its access, so conditions of the same name give the same number of items. A process
   * then remembers totals, and a request that has read a page under these conditions does not count again.
   */
  totalsFollowAccess?: true;
  /** Converts a row of the database. */
  shape?(row: Row): Row;
}

/**
 * Declares a list with keyset pagination. The returned function lists the items of one parent. Within a request, pages of
 * several parents with the same arguments are read in one statement (a lateral join), and so are counts.
 */
export function listing<Args, Row extends Record<string, unknown>, Conditions = undefined>(
  definition: ListingDefinition<Args, Row, Conditions>,
) {
  const cacheKey = `list:${++listings}`;
  const make = (ctx: Context, args: Args) => {
    const binding = `${definition.name}:${JSON.stringify(args)}`;
    const name = `${cacheKey} ${binding}`;
    return requestCache(ctx, name, () => new ChosenList(ctx, definition, args, binding, name));
  };
  return (ctx: Context, parentId: string, args: Args): Listed<Row> => {
    // Lists of several parents mostly have the same arguments.
    const latest = requestCache<{ list?: ChosenList<Args, Row, Conditions> }>(ctx, cacheKey, () => ({}));
    if (!latest.list || !isSame(latest.list.args, args)) latest.list = make(ctx, args);
    const { list } = latest;
    return { countsRows: true, page: (paging) => list.page(parentId, paging), total: () => list.total(parentId) };
  };
}

/** Number of listings so far, which tells them apart. */
let listings = 0;

/** A list with its arguments in a request, of any number of parents. */
class ChosenList<Args, Row extends Record<string, unknown>, Conditions> {
  readonly definition: ListingDefinition<Args, Row, Conditions>;
  readonly args: Args;
  readonly order: OrderPart<Row>[];
  readonly codec: CursorCodec;
  /** Of the listing and the arguments. */
  readonly name: string;
  readonly #ctx: Context;
  readonly #pages = new Map<string, DataLoader<string, Page<Row>>>();
  #latest: { paging: Paging; pages: DataLoader<string, Page<Row>> } | undefined;
  #totals: DataLoader<string, number> | undefined;
  /** Names of the conditions that pages of this request were read under, by parent. */
  readonly #conditions = new Map<string, string>();

  constructor(
    ctx: Context,
    definition: ListingDefinition<Args, Row, Conditions>,
    args: Args,
    binding: string,
    name: string,
  ) {
    this.#ctx = ctx;
    this.definition = definition;
    this.args = args;
    this.name = name;
    this.order = definition.order(args);
    this.codec = cursorCodec(ctx.services.secretKeys, binding, this.order.length);
  }

  page(parentId: string, paging: Paging): Promise<Page<Row>> {
    if (this.#latest?.paging !== paging) this.#latest = { paging, pages: this.#pagesOf(paging) };
    return this.#latest.pages.load(parentId);
  }

  total(parentId: string): Promise<number> {
    const conditions = this.#conditions.get(parentId);
    const known = conditions === undefined ? undefined : rememberedTotal(this.name, conditions, parentId);
    if (known !== undefined) return Promise.resolve(known);
    this.#totals ??= new DataLoader((parentIds) => readTotals(this.#ctx, this, parentIds));
    return this.#totals.load(parentId);
  }

  /** A page of these parents was read, and the conditions were those of its moment. */
  hasReadUnder(conditions: string | undefined, parentIds: readonly string[]): void {
    if (conditions === undefined || !this.definition.totalsFollowAccess) return;
    for (const id of parentIds) this.#conditions.set(id, conditions);
  }

  #pagesOf(paging: Paging): DataLoader<string, Page<Row>> {
    const key = `${paging.direction}:${paging.size}:${paging.cursor ?? ''}`;
    const known = this.#pages.get(key);
    if (known) return known;
    const pages = new DataLoader<string, Page<Row>>((parentIds) => readPages(this.#ctx, this, paging, parentIds));
    this.#pages.set(key, pages);
    return pages;
  }
}

/** What was read below parents. */
interface Found<Row> {
  /** The rows of each parent that the caller may see. */
  rows: Map<string, Row[]>;
  /** The name of the conditions that they were read under. */
  conditions: string | undefined;
}

async function readAround<Row extends Record<string, unknown>, Conditions>(
  ctx: Context,
  around: Around<Conditions> | undefined,
  parentIds: readonly string[],
  read: (parts: AroundParts<Conditions>) => Promise<Map<string, Row[]>>,
): Promise<Found<Row>> {
  if (!around) return { rows: await read(NO_PARTS), conditions: undefined };
  // Of the last of the reads, whose rows are returned.
  let conditions: string | undefined;
  const rows = await around(ctx, parentIds, async (parts) => {
    conditions = parts.name;
    return [...(await read(parts)).values()].flat();
  });
  return { rows: byParentOf(rows), conditions };
}

/** Lists without conditions of their own have no type for them. */
const NO_PARTS: AroundParts<never> = { columns: sql``, joins: sql``, conditions: undefined as never, name: '' };

async function readPages<Args, Row extends Record<string, unknown>, Conditions>(
  ctx: Context,
  list: ChosenList<Args, Row, Conditions>,
  paging: Paging,
  parentIds: readonly string[],
): Promise<Page<Row>[]> {
  const { definition, args, order, codec, name } = list;
  const isForward = paging.direction === 'forward';
  const path = [isForward ? 'after' : 'before'];
  const after = paging.cursor === undefined ? undefined : codec.decode(paging.cursor, path);
  const { around, from, select, beside, shape, isShared } = definition;
  const end = (parts: OrderPart<Row>[]) => sql`${after ? sql`and ${beyond(parts, after, isForward)}` : sql``}
        order by ${sql.join(parts.map((part) => sql`${part.by} ${sql.raw(directionOf(part, isForward))}`))}
        limit ${sql.lit(paging.size + 1)}`;
  const bounded: Bounded = (...by) => end(order.map((part, index) => ({ ...part, by: by[index] ?? part.by })));
  const read = (parts: AroundParts<Conditions>) =>
    readBelow<Item<Row>>(ctx, parentIds, {
      name: isShared && !after ? nameOf(parts, `${name} ${paging.direction} ${paging.size}`) : undefined,
      statement: (ids) => sql`
          select parent.id as ${sql.ref(PARENT)}, ${parts.columns} item.* ${beside?.columns ?? NOTHING}
          from unnest(${ids}::text[]) as parent(id) ${parts.joins}
          left join lateral (
            select ${select}, true as "is item" ${from(sql.ref('parent.id'), args, ctx, bounded, parts.conditions)} ${end(order)}
          ) item on true ${beside?.join ?? NOTHING}`,
    });
  const found = paging.size > 0 ? await readAround(ctx, around, parentIds, read) : undefined;
  list.hasReadUnder(found?.conditions, parentIds);
  const cursorOf = (row: Row) => codec.encode(order.map(({ key }) => row[key]));
  return parentIds.map((id) => cut(itemsOf(found?.rows.get(id), shape), paging, after !== undefined, cursorOf));
}

const NOTHING = sql``;

/** A row of a parent, or the only one of a parent that has no items. */
type Item<Row> = Row & { 'is item': true | null };

function itemsOf<Row>(rows: Item<Row>[] | undefined, shape: ((row: Row) => Row) | undefined): Row[] {
  if (!rows?.[0]?.['is item']) return [];
  return shape ? rows.map(shape) : rows;
}

const byParentOf = <Row extends object>(rows: readonly Row[]): Map<string, Row[]> =>
  Map.groupBy(rows, (row) => (row as Record<string, unknown>)[PARENT] as string); // a selected column

interface Below<Row> {
  /** Of a statement that requests can share. */
  name: string | undefined;
  statement(parentIds: string[]): RawBuilder<Row>;
}

/** The rows of a statement below parents. Requests share them, so they must not be changed. */
async function readBelow<Row extends Record<string, unknown>>(
  ctx: Context,
  parentIds: readonly string[],
  { name, statement }: Below<Row>,
): Promise<Map<string, Row[]>> {
  const shared =
    name === undefined || ctx.inTransaction ? undefined : sharedStatement(name, ctx.services.db, statement);
  if (shared) return shared(ctx, parentIds);
  return byParentOf((await statement([...parentIds]).execute(ctx.db)).rows);
}

const nameOf = ({ name }: AroundParts<unknown>, prefix: string) =>
  name === undefined ? undefined : `${prefix} ${name}`;

/** Removes the additional row that was read to find out whether there are more. */
function cut<Row>(
  found: Row[],
  { size, direction }: Paging,
  hasCursor: boolean,
  cursorOf: (row: Row) => string,
): Page<Row> {
  const hasMore = found.length > size && size > 0;
  const rows = hasMore ? found.slice(0, size) : found;
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

/**
 * The condition of rows after the cursor: `(a, b) > (x, y)` if all directions are the same, otherwise its expansion. The
 * redundant condition on the first part lets PostgreSQL use an index on it even if other parts are in another table.
 */
function beyond<Row>(order: OrderPart<Row>[], values: unknown[], isForward: boolean): RawBuilder<boolean> {
  const cast = (index: number, part: OrderPart<Row>) => sql`${values[index]}::${sql.raw(part.type)}`;
  const isUniform = order.every(({ direction }) => direction === order[0]?.direction);
  if (isUniform && order[0]) {
    const left = sql.join(order.map(({ by }) => by));
    const right = sql.join(order.map((part, index) => cast(index, part)));
    const [first, operator] = [order[0], comparison(order[0], isForward)];
    const bound = order.length > 1 ? sql`${first.by} ${sql.raw(operator)}= ${cast(0, first)} and ` : sql``;
    return sql<boolean>`${bound}(${left}) ${sql.raw(operator)} (${right})`;
  }
  const branches = order.map((part, index) => {
    const equal = order.slice(0, index).map((earlier, place) => sql`${earlier.by} = ${cast(place, earlier)}`);
    const differs = sql`${part.by} ${sql.raw(comparison(part, isForward))} ${cast(index, part)}`;
    return sql`(${sql.join([...equal, differs], sql` and `)})`;
  });
  return sql<boolean>`(${sql.join(branches, sql` or `)})`;
}

const directionOf = (part: Pick<OrderPart<never>, 'direction'>, isForward: boolean) =>
  (part.direction === 'asc') === isForward ? 'asc' : 'desc';

const comparison = (part: Pick<OrderPart<never>, 'direction'>, isForward: boolean) =>
  directionOf(part, isForward) === 'asc' ? '>' : '<';

async function readTotals<Args, Row extends Record<string, unknown>, Conditions>(
  ctx: Context,
  { definition, args, name }: ChosenList<Args, Row, Conditions>,
  parentIds: readonly string[],
): Promise<number[]> {
  const { around, from, isShared, totalsFollowAccess } = definition;
  const counted =
    definition.counted ?? ((parent, _args, _ctx, conditions) => from(parent, args, ctx, () => sql``, conditions));
  const read = (parts: AroundParts<Conditions>) =>
    readBelow<{ total: number }>(ctx, parentIds, {
      name: isShared ? nameOf(parts, `${name} total`) : undefined,
      statement: (ids) => sql`
          select parent.id as ${sql.ref(PARENT)}, ${parts.columns} item.total
          from unnest(${ids}::text[]) as parent(id) ${parts.joins}
          cross join lateral (
            select count(*) as total ${counted(sql.ref('parent.id'), args, ctx, parts.conditions)}
          ) item`,
    });
  const { rows, conditions } = await readAround(ctx, around, parentIds, read);
  return parentIds.map((id) => {
    const total = rows.get(id)?.[0]?.total;
    if (totalsFollowAccess && conditions !== undefined && total !== undefined) {
      rememberTotal(name, conditions, id, total);
    }
    return total ?? 0;
  });
}
