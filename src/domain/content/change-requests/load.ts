import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { batchLoader, rowLoader } from '../../../platform/loader.ts';
import { type ChangeRequestRow, visibleChangeRequests } from './access.ts';

/** Change requests by id, batched. Leaves out those that the caller may not read. */
export const loadChangeRequest = rowLoader<ChangeRequestRow>('change-request', (ctx, ids) =>
  visibleChangeRequests(ctx, sql<boolean>`cr.id = any(${ids}::text[])`),
);

/** Like `loadChangeRequest`, by space and number. */
export const loadChangeRequestByNumber = (ctx: Context, spaceId: string, number: number) =>
  byNumber(ctx, keyOf(spaceId, number));

const keyOf = (spaceId: string, number: number) => `${number}:${spaceId}`;

const byNumber = batchLoader<ChangeRequestRow>('change-request-number', async (ctx, keys) => {
  const numbers = keys.map((key) => Number.parseInt(key, 10));
  const spaceIds = keys.map((key) => key.slice(key.indexOf(':') + 1));
  const named = sql<boolean>`(cr.space_id, cr.number) in (
    select * from unnest(${spaceIds}::text[], ${numbers}::int[]))`;
  const rows = await visibleChangeRequests(ctx, named);
  return new Map(rows.map((row) => [keyOf(row.spaceId, row.number), row]));
});
