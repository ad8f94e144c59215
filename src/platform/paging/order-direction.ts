import { namedEnum } from '../shapes/named-enum.ts';

export const orderDirection = namedEnum('OrderDirection', 'Direction of the order of a list.', {
  asc: 'Ascending: lowest or oldest first.',
  desc: 'Descending: highest or newest first.',
});
