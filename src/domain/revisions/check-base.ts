import type { Context } from '../../platform/context.ts';
import { badInput, conflict } from '../../platform/errors.ts';

/**
 * Refuses changes that were made on top of another revision than the head: 409 when that is an earlier one, 400 when the
 * space has no such revision.
 */
export async function refuseOtherBase(
  ctx: Context,
  { spaceId, headId }: { spaceId: string; headId: string },
  baseRevisionId: string | null | undefined,
): Promise<void> {
  if (baseRevisionId == null || baseRevisionId === headId) return;
  const base = await ctx.db
    .selectFrom('revision')
    .where('id', '=', baseRevisionId)
    .where('space_id', '=', spaceId)
    .select('id')
    .executeTakeFirst();
  if (!base) throw badInput(['baseRevisionId'], `"${baseRevisionId}" is no revision of this space.`);
  throw conflict(`The content moved on to ${headId}; read it and send the changes again on top of it.`);
}
