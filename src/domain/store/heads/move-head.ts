import { diffTrees, type TreeDifference } from '../../../lib/tree/diff.ts';
import { projectOwnChanges } from '../../../lib/tree/projection.ts';
import type { NodeSource } from '../../../lib/tree/source.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { conflict } from '../../../platform/errors.ts';
import { projectManifests } from '../manifests/index.ts';
import type { RevisionRow, RevisionSummary } from '../revisions/index.ts';
import { toHex } from '../revisions/index.ts';
import { projectOntoHead } from '../trees/index.ts';

/**
 * Moves the head of a space to another revision, updates its projections in proportion to the difference, and stores a
 * summary of it on the new revision. The caller must hold the row lock of the space; the compare-and-set is a second
 * line of defense.
 */
export async function moveHead(
  ctx: Context,
  space: Pick<Row<'space'>, 'id' | 'organizationId'>,
  from: RevisionRow,
  to: RevisionRow,
  source: NodeSource,
): Promise<void> {
  const moved = await ctx.db
    .updateTable('space')
    .set({ revisionId: to.id, updatedAt: nowOf(ctx) })
    .where('id', '=', space.id)
    .where('revisionId', '=', from.id)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) throw conflict('The content was changed at the same time. Send the request again.');
  const difference = await diffTrees(toHex(from.rootHash), toHex(to.rootHash), source);
  const target = { organizationId: space.organizationId, spaceId: space.id };
  await projectOntoHead(ctx, target, await projectOwnChanges(difference, source));
  await projectManifests(ctx, target, from, to);
  const summary = summaryOf(difference, from, to);
  await ctx.db.updateTable('revision').set({ summary }).where('id', '=', to.id).execute();
}

function summaryOf(difference: TreeDifference, from: RevisionRow, to: RevisionRow): RevisionSummary {
  const { inserted, changed, moved, deleted } = difference;
  const differs = (name: 'filesHash' | 'reusableContentsHash' | 'variablesHash') =>
    Buffer.compare(from[name] ?? NONE, to[name] ?? NONE) !== 0;
  return {
    pages: { created: inserted.length, edited: changed.length, moved: moved.length, deleted: deleted.length },
    filesChanged: differs('filesHash'),
    reusableContentsChanged: differs('reusableContentsHash'),
    variablesChanged: differs('variablesHash'),
  };
}

const NONE = Buffer.alloc(0);
