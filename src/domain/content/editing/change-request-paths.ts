import { diffTrees } from '../../../lib/tree/diff.ts';
import { overlayPaths, type PathLookup } from '../../../lib/tree/paths.ts';
import { projectChanges } from '../../../lib/tree/projection.ts';
import { remember } from '../../../lib/tree/source.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type RevisionRow, toHex } from '../../store/revisions/index.ts';
import { headPaths, nodeSource } from '../../store/trees/index.ts';

/** A lookup for pages of a change request, valid while `headId` is the head of the space. */
export interface ChangeRequestPaths {
  lookup: PathLookup;
  headId: string;
}

/**
 * Finds pages of a change request without reading its tree: the difference from the head of the space is applied to the
 * projection of the head. The cost depends on the size of the difference.
 */
export async function changeRequestPaths(ctx: Context, revision: RevisionRow): Promise<ChangeRequestPaths> {
  const head = await ctx.db
    .selectFrom('space')
    .innerJoin('revision', 'revision.id', 'space.revisionId')
    .where('space.id', '=', revision.spaceId)
    .select(['revision.id', 'revision.rootHash'])
    .executeTakeFirstOrThrow();
  const source = remember(nodeSource(ctx.db, revision.organizationId));
  const difference = await diffTrees(toHex(head.rootHash), toHex(revision.rootHash), source);
  const lookup = overlayPaths(headPaths(ctx.db, revision.spaceId), await projectChanges(difference, source));
  return { lookup, headId: head.id };
}

/** Whether the paths are still valid: a merge can move the head meanwhile. */
export async function isStillHead(ctx: Context, spaceId: string, { headId }: ChangeRequestPaths): Promise<boolean> {
  const space = await ctx.db.selectFrom('space').where('id', '=', spaceId).select('revisionId').executeTakeFirst();
  return space?.revisionId === headId;
}
