import { z } from 'zod';
import type { Issue, IssueInRest } from '../errors/errors.ts';
import type { Operation } from '../operation/operation.ts';
import type { RestInput } from './route-input.ts';

/**
 * Options of the route of a list whose `orderBy` is the query parameters `sort` and `order`. `usual` describes the
 * order without them.
 */
export const restOrder = <Input extends z.ZodObject, Fields extends Readonly<Record<string, string>>>(
  _list: Pick<Operation<Input>, 'input'>,
  field: z.ZodEnum<Fields>,
  usual: string,
) => ({
  query: z.object({
    sort: field.optional().describe(`Field to sort by. Default: ${usual}.`),
    order: z.enum(['asc', 'desc']).default('desc').describe('Sort direction, with `sort`. Default: `desc`.'),
  }),
  sets: ['orderBy'] as (keyof z.input<Input> & string)[], // every list with an order has it
  toInput: (values: Record<string, unknown>, { query: { sort, order = 'desc' } }: RestInput) =>
    ({
      ...values,
      ...(sort !== undefined && { orderBy: { field: sort, direction: order } }),
    }) as z.input<Input>, // validated by the operation
  issueInRest: ({ path: [first, member], message }: Issue): IssueInRest | undefined =>
    first === 'orderBy' ? { path: [member === 'direction' ? 'order' : 'sort'], message } : undefined,
});
