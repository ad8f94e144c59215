import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import type { ReviewRow } from './access.ts';

/** The latest review of one reviewer. */
export type Verdict = Pick<ReviewRow, 'reviewerId' | 'revisionId' | 'status'>;

/** The latest review of each reviewer of a change request, batched. Does not check access. */
export const verdictsOn = async (ctx: Context, changeRequestId: string): Promise<Verdict[]> =>
  (await load(ctx, changeRequestId)) ?? [];

const load = sharedLoader<Verdict[]>('verdicts', async (db, ids) => {
  const rows = await db
    .selectFrom('review')
    .where('changeRequestId', '=', anyOf(ids))
    .distinctOn(['changeRequestId', 'reviewerId'])
    .select(['changeRequestId', 'reviewerId', 'revisionId', 'status'])
    .orderBy('changeRequestId')
    .orderBy('reviewerId')
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const verdicts = new Map<string, Verdict[]>(ids.map((id) => [id, []]));
  for (const { changeRequestId, ...verdict } of rows) verdicts.get(changeRequestId)?.push(verdict);
  return verdicts;
});
