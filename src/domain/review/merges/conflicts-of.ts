import { LRUCache } from 'lru-cache';
import type { Conflict } from '../../../lib/merge/conflict.ts';
import type { Context } from '../../../platform/context/context.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { type ChangeRequestRow, headIdOf, loadChangeRequest } from '../../content/change-requests/index.ts';
import { findConflicts } from '../../content/merge-content/index.ts';
import { type RevisionsToMerge, revisionsToMerge } from './attempt-merge.ts';

/** A conflict with the three revisions of the merge. */
export interface ShownConflict extends Conflict {
  versions: RevisionsToMerge;
}

/** Maximum number of conflicts where they are not a paged list. */
export const MAX_SHOWN = 100;

/** Conflicts of merging a change request now, sorted by id. Empty once it is merged. Computed once per request. */
export const conflictsOf = async (ctx: Context, { id }: ChangeRequestRow): Promise<ShownConflict[]> =>
  (await load(ctx, id)) ?? [];

/** Adds the revisions to the conflicts of one merge and sorts them by id. */
export const toShownConflicts = (conflicts: readonly Conflict[], versions: RevisionsToMerge): ShownConflict[] =>
  conflicts.map((conflict) => ({ ...conflict, versions })).toSorted((a, b) => (a.id < b.id ? -1 : 1));

const load = batchLoader<ShownConflict[]>('conflicts', async (ctx, ids) => {
  const entries = await Promise.all(ids.map(async (id) => [id, await read(ctx, id)] as const));
  return new Map(entries);
});

/** Revisions that are known to merge without conflict: they never change, and most change requests do. */
const clean = new LRUCache<string, true>({ max: 10_000 });

async function read(ctx: Context, id: string): Promise<ShownConflict[]> {
  const changeRequest = await loadChangeRequest(ctx, id);
  if (!changeRequest || changeRequest.status === 'merged') return [];
  const versions = await revisionsToMerge(ctx, changeRequest, await headIdOf(ctx, changeRequest));
  if (versions.ours.id === versions.base.id || versions.theirs.id === versions.base.id) return [];
  const key = [versions.base.id, versions.ours.id, versions.theirs.id].join(' ');
  if (clean.get(key)) return [];
  const conflicts = await findConflicts(ctx, versions);
  if (conflicts.length === 0) clean.set(key, true);
  return toShownConflicts(conflicts, versions);
}
