import type { Conflict, Resolution } from '../../../../lib/merge/conflict.ts';
import type { Side } from '../../../../lib/merge/three.ts';
import type { Context } from '../../../../platform/context.ts';
import { type ContentMerge, type Merge, mergeContent } from '../../../content/merging/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';

/** The versions of a synchronization: `ours` is the branch, `theirs` the space. */
export interface SyncedVersions {
  base: RevisionRow;
  ours: RevisionRow;
  theirs: RevisionRow;
}

/** What branch and space become: the same content, or each with its own side of the conflicts. */
export type SyncMerge =
  | { merged: Merge }
  | { conflicts: Conflict[]; space: Merge; branch: Merge; base: Merge }
  /** The versions cannot be merged even with a resolution of each conflict. */
  | { conflicts: Conflict[]; space: undefined };

const ROUNDS = 5;

/**
 * Merges a branch into a space. With conflicts, everything else is merged: the space keeps its side of them, the branch its
 * own, and the base keeps neither, so that they stay conflicts until they are resolved.
 */
export async function mergeBranch(ctx: Context, versions: SyncedVersions): Promise<SyncMerge> {
  const outcome = await mergeContent(ctx, versions);
  if ('merged' in outcome) return outcome;
  if (!('conflicts' in outcome)) throw new Error('A merge without resolutions has neither a result nor conflicts.');
  const { conflicts } = outcome;
  const [space, branch, base] = [
    await resolved(ctx, versions, conflicts, 'theirs'),
    await resolved(ctx, versions, conflicts, 'ours'),
    await resolved(ctx, versions, conflicts, 'base'),
  ];
  if (!space || !branch || !base) return { conflicts, space: undefined };
  return { conflicts, space, branch, base };
}

/** The merge with one side of all conflicts. Resolving some can reveal others, such as pages without a parent. */
async function resolved(
  ctx: Context,
  versions: SyncedVersions,
  conflicts: readonly Conflict[],
  choice: Side,
): Promise<Merge | undefined> {
  const resolutions = new Map<string, Resolution>();
  let open = conflicts;
  for (let round = 0; round < ROUNDS; round++) {
    for (const { id } of open) resolutions.set(id, { choice });
    const outcome: ContentMerge = await mergeContent(ctx, { ...versions, resolutions });
    if ('merged' in outcome) return outcome.merged;
    if (!('conflicts' in outcome)) return undefined;
    open = outcome.conflicts;
  }
  return undefined;
}
