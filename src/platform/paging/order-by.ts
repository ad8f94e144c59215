import { z } from 'zod';
import { namedEnum } from '../shapes/named-enum.ts';
import { type OrderPart, type SortDirection, sortBy } from './order.ts';

export const orderDirection = namedEnum('OrderDirection', 'Direction of the order of a list.', {
  asc: 'Ascending: lowest or oldest first.',
  desc: 'Descending: highest or newest first.',
});

/** The input `orderBy` of a list: a field and a direction. */
export const orderInput = <Fields extends Readonly<Record<string, string>>>(
  inputName: string,
  description: string,
  field: z.ZodEnum<Fields>,
) =>
  z
    .object({ field: field.describe('Field to sort by.'), direction: orderDirection.describe('Sort direction.') })
    .meta({ inputName, description });

/** The order of a list by a field, and by id among equal values. */
export function orderedBy<Key extends string>(
  part: Omit<OrderPart<Key>, 'direction'>,
  direction: SortDirection,
): [OrderPart<Key>, OrderPart<'id'>] {
  return [{ ...part, direction }, sortBy('id', direction)];
}
