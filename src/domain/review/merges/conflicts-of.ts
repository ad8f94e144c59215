import { LRUCache } from 'lru-cache';
import type { Conflict } from '../../../lib/merge/conflict.ts';
import type { Context } from '../../../platform/context.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { type ChangeRequestRow, headIdOf, loadChangeRequest } from '../../content/change-requests/index.ts';
import { findConflicts } from '../../content/merging/index.ts';
import { type Versions, versionsOf } from './versions.ts';

/** A conflict with the revisions that it is between. */
export interface ShownConflict extends Conflict {
  versions: Versions;
}

/** Conflicts that are shown at once where they are no list of their own. */
export const MAX_SHOWN = 100;

/** What merging a change request would meet now, sorted by id; none once it is merged. Once in a request. */
export const conflictsOf = async (ctx: Context, { id }: ChangeRequestRow): Promise<ShownConflict[]> =>
  (await load(ctx, id)) ?? [];

/** Conflicts of one merge as they are shown. */
export const shown = (conflicts: readonly Conflict[], versions: Versions): ShownConflict[] =>
  conflicts.map((conflict) => ({ ...conflict, versions })).toSorted((a, b) => (a.id < b.id ? -1 : 1));

const load = batchLoader<ShownConflict[]>('conflicts', async (ctx, ids) => {
  const found = await Promise.all(ids.map(async (id) => [id, await read(ctx, id)] as const));
  return new Map(found);
});

/** Revisions that are known to merge without conflict: they never change, and most change requests do. */
const clean = new LRUCache<string, true>({ max: 10_000 });

async function read(ctx: Context, id: string): Promise<ShownConflict[]> {
  const changeRequest = await loadChangeRequest(ctx, id);
  if (!changeRequest || changeRequest.status === 'merged') return [];
  const versions = await versionsOf(ctx, changeRequest, await headIdOf(ctx, changeRequest));
  if (versions.ours.id === versions.base.id || versions.theirs.id === versions.base.id) return [];
  const key = [versions.base.id, versions.ours.id, versions.theirs.id].join(' ');
  if (clean.get(key)) return [];
  const conflicts = await findConflicts(ctx, versions);
  if (conflicts.length === 0) clean.set(key, true);
  return shown(conflicts, versions);
}
