import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import { permissions, reaches, roleOfUser } from '../../people/access/index.ts';
import type { ReviewRow } from './access.ts';

/** The latest review of one reviewer. */
export type Verdict = Pick<ReviewRow, 'reviewerId' | 'revisionId' | 'status'>;

/**
 * Returns the latest review of each reviewer of a change request who can still review it. Batched. Does not check the
 * caller's access. A reviewer without access must not satisfy a merge rule, and could not withdraw a request for
 * changes.
 */
export const verdictsOn = async (ctx: Context, changeRequestId: string): Promise<Verdict[]> =>
  (await load(ctx, changeRequestId)) ?? [];

const load = sharedLoader<Verdict[]>('verdicts', async (db, ids) => {
  const latest = db
    .selectFrom('review')
    .where('changeRequestId', '=', anyOf(ids))
    .distinctOn(['changeRequestId', 'reviewerId'])
    .select(['changeRequestId', 'reviewerId', 'revisionId', 'status', 'spaceId'])
    .orderBy('changeRequestId')
    .orderBy('reviewerId')
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc');
  const rows = await db
    .selectFrom(latest.as('v'))
    .innerJoin('space as s', 's.id', 'v.spaceId')
    .where(reaches(roleOfUser.space(sql.ref('v.reviewerId'), 's'), permissions.submitReview.space))
    .select(['v.changeRequestId', 'v.reviewerId', 'v.revisionId', 'v.status'])
    .execute();
  const verdicts = new Map<string, Verdict[]>(ids.map((id) => [id, []]));
  for (const { changeRequestId, ...verdict } of rows) verdicts.get(changeRequestId)?.push(verdict);
  return verdicts;
});
