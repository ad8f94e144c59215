import { type RawBuilder, sql } from 'kysely';
import type { AccessSql } from './access-filter.ts';
import type { OrderPart } from './order.ts';
import type { Paging } from './page.ts';

/** Column of the parent that a row was read for. */
export const PARENT_COLUMN = 'parent id';

/** The id of the object whose list is read, in the SQL of a list. */
export const PARENT_ID = sql.ref<string>('parent.id');

/** A part of a sort key with its SQL. */
export type OrderSql = Required<OrderPart> & { by: RawBuilder<unknown> };

/** The SQL of a list with given arguments. */
export interface ListSql {
  select: RawBuilder<unknown>;
  /** `from …`, with joins. */
  from: RawBuilder<unknown>;
  where: readonly RawBuilder<unknown>[];
}

/** The end of a page's statement: the condition of the cursor, the order and the limit. */
export type PageClause = RawBuilder<unknown>;

/** Reads one more row than the page has, which shows whether there are more. `after` has the values of the cursor. */
export function pageClause(
  order: readonly OrderSql[],
  { size, direction }: Paging,
  after: readonly unknown[] | undefined,
): PageClause {
  const isForward = direction === 'forward';
  const parts = order.map((part) => sql`${part.by} ${sql.raw(directionOf(part, isForward))}`);
  return sql`${after ? sql`and ${afterCursor(order, after, isForward)}` : sql``}
    order by ${sql.join(parts)} limit ${sql.lit(size + 1)}`;
}

/** The items of a page for each parent. A parent without items has one row, whose `is item` is null. */
export const pageStatement = <Row>(
  { select, from, where }: ListSql,
  parentIds: readonly string[],
  { columns, joins, where: visible }: AccessSql<unknown>,
  page: PageClause,
): RawBuilder<Row> => sql`
  select parent.id as ${sql.ref(PARENT_COLUMN)}, ${columns ?? NOTHING} item.*
  from unnest(${parentIds}::text[]) as parent(id) ${joins ?? NOTHING}
  left join lateral (
    select ${select}, true as "is item" ${from} where ${allOf(where, visible)} ${page}
  ) item on true`;

/** The number of items of each parent, on all pages. */
export const countStatement = (
  { from, where }: ListSql,
  parentIds: readonly string[],
  { columns, joins, where: visible }: AccessSql<unknown>,
): RawBuilder<{ total: number }> => sql`
  select parent.id as ${sql.ref(PARENT_COLUMN)}, ${columns ?? NOTHING} item.total
  from unnest(${parentIds}::text[]) as parent(id) ${joins ?? NOTHING}
  cross join lateral (select count(*) as total ${from} where ${allOf(where, visible)}) item`;

const NOTHING = sql``;

function allOf(conditions: readonly RawBuilder<unknown>[], visible: RawBuilder<boolean> | undefined) {
  const all = visible ? [...conditions, visible] : conditions;
  return all.length === 0 ? sql`true` : sql.join(all, sql` and `);
}

/**
 * The condition of rows after the cursor: `(a, b) > (x, y)` if all directions are the same, otherwise its expansion.
 * The redundant condition on the first part lets PostgreSQL use an index on it even if other parts are in another
 * table.
 */
function afterCursor(order: readonly OrderSql[], values: readonly unknown[], isForward: boolean): RawBuilder<unknown> {
  const cast = (index: number, part: OrderSql) => sql`${values[index]}::${sql.raw(part.type)}`;
  const isUniform = order.every(({ direction }) => direction === order[0]?.direction);
  if (isUniform && order[0]) {
    const left = sql.join(order.map(({ by }) => by));
    const right = sql.join(order.map((part, index) => cast(index, part)));
    const [first, operator] = [order[0], comparison(order[0], isForward)];
    const bound = order.length > 1 ? sql`${first.by} ${sql.raw(operator)}= ${cast(0, first)} and ` : NOTHING;
    return sql`${bound}(${left}) ${sql.raw(operator)} (${right})`;
  }
  const branches = order.map((part, index) => {
    const equal = order.slice(0, index).map((earlier, place) => sql`${earlier.by} = ${cast(place, earlier)}`);
    const differs = sql`${part.by} ${sql.raw(comparison(part, isForward))} ${cast(index, part)}`;
    return sql`(${sql.join([...equal, differs], sql` and `)})`;
  });
  return sql`(${sql.join(branches, sql` or `)})`;
}

const directionOf = ({ direction }: OrderSql, isForward: boolean) =>
  (direction === 'asc') === isForward ? 'asc' : 'desc';

const comparison = (part: OrderSql, isForward: boolean) => (directionOf(part, isForward) === 'asc' ? '>' : '<');
