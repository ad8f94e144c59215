import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { batchLoader, rowLoader } from '../../../platform/loader.ts';
import { type ChangeRequestRow, showsChangeRequests } from './access.ts';

/** Change requests by id, batched. Leaves out those that the caller may not read. */
export const loadChangeRequest = rowLoader<ChangeRequestRow>('change-request', (ctx, ids) =>
  ctx.db
    .selectFrom('change_request as cr')
    .innerJoin('space as s', 's.id', 'cr.spaceId')
    .where('cr.id', '=', anyOf(ids))
    .where(showsChangeRequests(ctx))
    .selectAll('cr')
    .execute(),
);

/** Like `loadChangeRequest`, by space and number. */
export const loadChangeRequestByNumber = (ctx: Context, spaceId: string, number: number) =>
  byNumber(ctx, keyOf(spaceId, number));

const keyOf = (spaceId: string, number: number) => `${number}:${spaceId}`;

const byNumber = batchLoader<ChangeRequestRow>('change-request-number', async (ctx, keys) => {
  const numbers = keys.map((key) => Number.parseInt(key, 10));
  const spaceIds = keys.map((key) => key.slice(key.indexOf(':') + 1));
  const { rows } = await sql<ChangeRequestRow>`
    select cr.*
    from unnest(${spaceIds}::text[], ${numbers}::int[]) as wanted(space_id, number)
    join change_request cr on cr.space_id = wanted.space_id and cr.number = wanted.number
    join space s on s.id = cr.space_id
    where ${showsChangeRequests(ctx)}`.execute(ctx.db);
  return new Map(rows.map((row) => [keyOf(row.spaceId, row.number), row]));
});
