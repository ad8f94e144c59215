import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import type { ChangeRequestRow } from './access.ts';

/**
 * Whether the primary content changed since the change request was created or last updated. False once merged. Batched.
 */
export async function isOutdated(ctx: Context, changeRequest: ChangeRequestRow): Promise<boolean> {
  if (changeRequest.status === 'merged') return false;
  const baseId = changeRequest.revisionMergedAncestorId ?? changeRequest.revisionInitialId;
  return (await headIdOf(ctx, changeRequest)) !== baseId;
}

/** Id of the current revision of the primary content, batched. Does not check access. */
export async function headIdOf(ctx: Context, { spaceId }: ChangeRequestRow): Promise<string> {
  const headId = await loadHeadId(ctx, spaceId);
  if (headId === undefined) throw new Error(`The space ${spaceId} of a change request does not exist.`);
  return headId;
}

const loadHeadId = sharedLoader<string>('space-head-id', async (db, spaceIds) => {
  const heads = await db.selectFrom('space').where('id', '=', anyOf(spaceIds)).select(['id', 'revisionId']).execute();
  return new Map(heads.map(({ id, revisionId }) => [id, revisionId]));
});
