import type { Context } from '../../../platform/context/context.ts';
import { baseFor } from '../../store/heads/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { revisionFor } from '../revisions/index.ts';
import { changeRequestPaths, isStillHead } from './change-request-paths.ts';
import type { RequestedChange } from './content-changes.ts';
import { type PreparedChanges, prepareChanges } from './prepare-changes.ts';
import { type EarlyMerge, type Finding, mergeEarly } from './write-content.ts';

/** The content that is edited: that of a space or of a change request. */
interface EditedHead {
  organizationId: string;
  spaceId: string;
  /** The head as it is before the transaction. */
  revisionId: string;
  baseRevisionId?: string | null | undefined;
  initialRevisionId?: string;
}

/** Changes that are ready to be written, and their merge if they are based on an earlier revision. */
interface PreparedEdit {
  changes: PreparedChanges;
  early: EarlyMerge | undefined;
}

/**
 * Does the slow part of an edit before the transaction: parses bodies, and merges changes that are based on an earlier
 * revision.
 */
export async function prepareEdit(
  ctx: Context,
  { organizationId, spaceId, revisionId, baseRevisionId, initialRevisionId }: EditedHead,
  changes: readonly RequestedChange[],
): Promise<PreparedEdit> {
  const headOf = async () => (await revisionFor(ctx, spaceId, revisionId)).revision;
  const prepared = await prepareChanges(ctx, organizationId, changes, async () =>
    baseFor(ctx, await headOf(), baseRevisionId),
  );
  if (baseRevisionId == null || baseRevisionId === revisionId) return { changes: prepared, early: undefined };
  const head = await headOf();
  const base = await baseFor(ctx, head, baseRevisionId);
  const options = { finding: await findingIn(ctx, base), ...(initialRevisionId && { initialRevisionId }) };
  return { changes: prepared, early: await mergeEarly(ctx, { base, head }, prepared, options) };
}

/** Finds pages by the projection of the head of the space, which a merge or a direct edit can move meanwhile. */
export async function findingIn(ctx: Context, base: RevisionRow): Promise<Finding> {
  const paths = await changeRequestPaths(ctx, base);
  return { lookup: paths.lookup, isCurrent: () => isStillHead(ctx, base.spaceId, paths) };
}
