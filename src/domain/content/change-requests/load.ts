import type { Context } from '../../../platform/context/context.ts';
import { batchLoader, rowLoader } from '../../../platform/reads/loader.ts';
import { type ChangeRequestRow, numberKey, visibleChangeRequests } from './access.ts';

/** Change requests by id, batched. Leaves out those that the caller may not read. */
export const loadChangeRequest = rowLoader<ChangeRequestRow>('change-request', (ctx, ids) =>
  visibleChangeRequests(ctx, 'id', ids),
);

/** Like `loadChangeRequest`, by space and number. */
export const loadChangeRequestByNumber = (ctx: Context, spaceId: string, number: number) =>
  byNumber(ctx, numberKey(spaceId, number));

const byNumber = batchLoader<ChangeRequestRow>('change-request-number', async (ctx, keys) => {
  const rows = await visibleChangeRequests(ctx, 'number', keys);
  return new Map(rows.map((row) => [numberKey(row.spaceId, row.number), row]));
});
