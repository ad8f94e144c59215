import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { batchLoader } from '../../../platform/loader.ts';
import type { ReviewRow } from './access.ts';

/** What a reviewer thought last, and of which revision. */
export type Verdict = Pick<ReviewRow, 'reviewerId' | 'revisionId' | 'status'>;

/** The last review of each reviewer of a change request, batched. For callers that may read it. */
export const verdictsOn = async (ctx: Context, changeRequestId: string): Promise<Verdict[]> =>
  (await load(ctx, changeRequestId)) ?? [];

const load = batchLoader<Verdict[]>('verdicts', async ({ db }, ids) => {
  const { rows } = await sql<Verdict & { changeRequestId: string }>`
    select distinct on (rv.change_request_id, rv.reviewer_id) rv.change_request_id, rv.reviewer_id, rv.revision_id, rv.status
    from review rv where rv.change_request_id = any(${ids}::text[])
    order by rv.change_request_id, rv.reviewer_id, rv.updated_at desc, rv.id desc`.execute(db);
  const verdicts = new Map<string, Verdict[]>(ids.map((id) => [id, []]));
  for (const { changeRequestId, ...verdict } of rows) verdicts.get(changeRequestId)?.push(verdict);
  return verdicts;
});
