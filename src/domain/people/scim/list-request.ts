import { type RawBuilder, sql } from 'kysely';
import { ScimError } from '../../../platform/errors/scim-error.ts';
import { conditionOf, type Filterable, sortColumn } from './filter-condition.ts';
import { parseFilter } from './parse-filter.ts';
import { type Projection, pathsIn } from './projection.ts';

/** Maximum number of resources in a response. */
export const MAX_COUNT = 200;
const DEFAULT_COUNT = 100;

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** What a list was asked for (RFC 7644, 3.4.2), by the query of a URL or by the body of a search. */
export interface ListRequest extends Projection {
  filter: string | undefined;
  sortBy: string | undefined;
  isDescending: boolean;
  /** Of the first resource, from 1 on. */
  startIndex: number;
  count: number;
}

/** Reads the parameters of a list. Unknown ones have no effect. */
export function listRequest(query: Readonly<Record<string, unknown>>): ListRequest {
  const { filter, sortBy, sortOrder, startIndex, count } = query;
  const order = textIn(sortOrder, 'sortOrder')?.toLowerCase();
  if (order !== undefined && order !== 'ascending' && order !== 'descending')
    throw new ScimError('invalidValue', 'sortOrder: must be ascending or descending.');
  return {
    filter: textIn(filter, 'filter'),
    sortBy: textIn(sortBy, 'sortBy'),
    isDescending: order === 'descending',
    startIndex: Math.max(1, numberIn(startIndex, 'startIndex') ?? 1),
    count: Math.min(MAX_COUNT, Math.max(0, numberIn(count, 'count') ?? DEFAULT_COUNT)),
    ...projectionIn(query),
  };
}

/** The attributes that a request wants. */
export function projectionIn({ attributes, excludedAttributes }: Readonly<Record<string, unknown>>): Projection {
  const projection = {
    attributes: pathsIn(attributes, 'attributes'),
    excludedAttributes: pathsIn(excludedAttributes, 'excludedAttributes'),
  };
  if (projection.attributes && projection.excludedAttributes)
    throw new ScimError('invalidValue', 'attributes and excludedAttributes cannot be combined.');
  return projection;
}

function textIn(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value.trim() === '' && name !== 'filter' ? undefined : value;
  throw new ScimError(name === 'filter' ? 'invalidFilter' : 'invalidValue', `${name}: must be one text.`);
}

const MAX_NUMBER = 2_147_483_647;

function numberIn(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const isNumber = typeof value === 'number' || (typeof value === 'string' && String(Number(value)) === value);
  const number = isNumber ? Number(value) : Number.NaN;
  if (!Number.isInteger(number) || Math.abs(number) > MAX_NUMBER)
    throw new ScimError('invalidValue', `${name}: must be an integer.`);
  return number;
}

/** The condition and order of a list in SQL. Without a filter, the condition is undefined. */
export function listTerms({ filter, sortBy, isDescending }: ListRequest, of: Filterable) {
  const where: RawBuilder<boolean> | undefined =
    filter === undefined ? undefined : conditionOf(parseFilter(filter), of);
  const direction = sql.raw(isDescending ? 'desc nulls last' : 'asc nulls last');
  const order = sortBy === undefined ? undefined : sql`${sortColumn(sortBy, of)} ${direction},`;
  return { where, order };
}

/** The response to a list. `itemsPerPage` is the number of resources in it. */
export const listResponse = (resources: readonly object[], totalResults: number, startIndex: number) => ({
  schemas: [LIST],
  totalResults,
  itemsPerPage: resources.length,
  startIndex,
  Resources: resources,
});
