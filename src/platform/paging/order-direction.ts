import { namedEnum } from '../named-enum.ts';

/** Which way a list is sorted, where the caller chooses. */
export const orderDirection = namedEnum('OrderDirection', 'Which way a list is sorted.', {
  asc: 'From the lowest to the highest, the oldest first.',
  desc: 'From the highest to the lowest, the newest first.',
});
