import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import type { RevisionRow } from '../revisions/index.ts';

/**
 * The revision that changes are based on; the head by default. A revision that the space does not have is
 * BAD_USER_INPUT.
 */
export async function baseFor(
  ctx: Context,
  head: RevisionRow,
  baseRevisionId: string | null | undefined,
): Promise<RevisionRow> {
  if (baseRevisionId == null || baseRevisionId === head.id) return head;
  const base = await ctx.db
    .selectFrom('revision')
    .where('id', '=', baseRevisionId)
    .where('spaceId', '=', head.spaceId)
    .selectAll()
    .executeTakeFirst();
  if (base) return base;
  throw badInput(['baseRevisionId'], `"${baseRevisionId}" is not a revision of this space.`, 'NOT_FOUND');
}
