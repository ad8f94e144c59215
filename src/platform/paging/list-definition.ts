import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../context/context.ts';
import type { Tables } from '../database/tables.ts';
import type { AccessFilter } from './access-filter.ts';
import { type ListSql, type OrderSql, PARENT_ID, type PageClause } from './list-statements.ts';
import type { OrderPart } from './order.ts';

/** A value, or a function that makes it from the arguments of the list. */
type OfArgs<Value, Args, Conditions> = Value | ((args: Args, request: ListSqlContext<Conditions>) => Value);

/** What the SQL of a list can use besides the arguments. */
export interface ListSqlContext<Conditions> {
  ctx: Context;
  /** Conditions of access, for lists that check it within a subquery. */
  conditions: Conditions;
}

/** A condition of SQL on the items. What is not SQL is left out. */
type Condition = RawBuilder<unknown> | false | null | undefined;

/**
 * Declaration of a list, for both transports. SQL can refer to the object whose list it is by `parent.id`
 * (`PARENT_ID`).
 */
export interface ListDefinition<Args, Row, Conditions = undefined> {
  /** Name of the list in its cursors. */
  name: string;
  /**
   * The table of the items with its alias: `comment as c`. Or the SQL after `from`; names of columns then need an
   * alias.
   */
  from?: `${keyof Tables} as ${string}` | OfArgs<RawBuilder<unknown>, Args, Conditions>;
  /** Instead of `from`: statements whose rows are the items, as `k`. No branch reads more rows than the page has. */
  unionAll?: (args: Args, request: ListSqlContext<Conditions>) => RawBuilder<unknown>[];
  /** Joins with other tables. */
  join?: RawBuilder<unknown>;
  /** Default: all columns of the table of `from`. Must include every `key` of the order. */
  select?: OfArgs<RawBuilder<unknown>, Args, Conditions>;
  /** The column with the id of the object whose list it is. Without it, `from` or `where` must refer to `parent.id`. */
  parent?: string;
  /** Conditions of the items. All must hold. */
  where?: OfArgs<readonly Condition[], Args, Conditions>;
  /** Must end with an id, so that the order is total. */
  order: readonly OrderPart<keyof Row & string>[] | ((args: Args) => readonly OrderPart<keyof Row & string>[]);
  /** Decides the caller's access to the parents or items. Without it, callers of the list have to check access. */
  access?: AccessFilter<Conditions>;
  /** Requests share statements (`readSharedList`). For lists that many clients read at once. */
  isShared?: true;
}

/** `comment as c` */
function tableOf(from: unknown): { table: string; alias: string } | undefined {
  if (typeof from !== 'string') return undefined;
  const [table = '', alias = ''] = from.split(' as ');
  return { table, alias };
}

/** A column: of the list's own table, unless its name has an alias. */
const columnOf = (alias: string | undefined, column: string): RawBuilder<unknown> =>
  sql.ref(alias === undefined || column.includes('.') ? column : `${alias}.${column}`);

/** The SQL of a list with its arguments. `page` ends each branch of a union. */
export function listSql<Args, Row, Conditions>(
  definition: ListDefinition<Args, Row, Conditions>,
  args: Args,
  request: ListSqlContext<Conditions>,
  page: PageClause = sql``,
): ListSql {
  const { from, unionAll, join, select, parent, where = [] } = definition;
  const named = tableOf(from);
  const conditions = typeof where === 'function' ? where(args, request) : where;
  return {
    select: (typeof select === 'function' ? select(args, request) : select) ?? sql`${sql.ref(named?.alias ?? UNION)}.*`,
    from: unionAll
      ? union(unionAll(args, request), page)
      : sql`from ${named ? sql`${sql.table(named.table)} ${sql.ref(named.alias)}` : sqlOf(from, args, request)} ${join ?? sql``}`,
    where: [
      ...(parent === undefined ? [] : [sql`${columnOf(named?.alias, parent)} = ${PARENT_ID}`]),
      ...conditions.filter((condition) => typeof condition === 'object' && condition !== null),
    ],
  };
}

/** The sort key with the SQL of each part. */
export function orderSql<Args, Row, Conditions>(
  { from }: ListDefinition<Args, Row, Conditions>,
  order: readonly OrderPart[],
): OrderSql[] {
  const alias = tableOf(from)?.alias;
  return order.map(({ by, ...part }) => ({
    ...part,
    by: typeof by === 'object' ? by : columnOf(alias, by ?? part.key),
  }));
}

function sqlOf<Args, Conditions>(
  from: ListDefinition<Args, never, Conditions>['from'],
  args: Args,
  request: ListSqlContext<Conditions>,
): RawBuilder<unknown> {
  if (typeof from === 'function') return from(args, request);
  if (typeof from !== 'object') throw new Error('A list needs "from" or "unionAll".');
  return from;
}

const UNION = 'k';

/** PostgreSQL flattens the subqueries, so that each branch is sorted and cut by its own index. */
const union = (branches: readonly RawBuilder<unknown>[], page: PageClause) => sql`
  from (${sql.join(
    branches.map((branch) => sql`(select k.* from (${branch}) k where true ${page})`),
    sql` union all `,
  )}) k`;
