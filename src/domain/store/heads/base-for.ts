import type { Context } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import type { RevisionRow } from '../revisions/index.ts';

/** The revision that changes were made on top of: the head when none is named. 400 when its space has no such revision. */
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
  throw badInput(['baseRevisionId'], `"${baseRevisionId}" is no revision of this space.`);
}
