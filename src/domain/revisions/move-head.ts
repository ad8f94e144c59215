import { diffTrees } from '../../lib/tree/diff.ts';
import { projectChanges } from '../../lib/tree/projection.ts';
import type { NodeSource } from '../../lib/tree/source.ts';
import { type Context, nowOf } from '../../platform/context.ts';
import { conflict } from '../../platform/errors.ts';
import type { SpaceRow } from '../spaces/index.ts';
import type { RevisionRow } from './access.ts';
import { toHex } from './hash.ts';
import { projectOntoHead } from './head.ts';

/**
 * Moves a space's head from one revision to another and brings the projection of its pages along, in proportion to what
 * differs. The space must be held locked; the compare-and-set is the second line of defence.
 */
export async function moveHead(
  ctx: Context,
  space: Pick<SpaceRow, 'id' | 'organization_id'>,
  from: RevisionRow,
  to: RevisionRow,
  source: NodeSource,
): Promise<void> {
  const moved = await ctx.db
    .updateTable('space')
    .set({ revision_id: to.id, updated_at: nowOf(ctx) })
    .where('id', '=', space.id)
    .where('revision_id', '=', from.id)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) throw conflict('The content moved on at the same moment; send this again.');
  const difference = await diffTrees(toHex(from.root_hash), toHex(to.root_hash), source);
  const target = { organizationId: space.organization_id, spaceId: space.id };
  await projectOntoHead(ctx, target, await projectChanges(difference, source));
}
