import { atLeast } from '../../platform/access/roles.ts';
import type { Context } from '../../platform/context.ts';
import type { Row } from '../../platform/database/tables.ts';
import { notFound } from '../../platform/errors.ts';
import { needs } from '../access/index.ts';
import { type SpaceRow, spaceFor } from '../spaces/index.ts';

export type RevisionRow = Row<'revision'>;

/**
 * A revision of a space that the caller may view: the head when no id is given. One of another space is absent. Those
 * whom only a published site admits see the head and nothing else: history and change requests are not published.
 */
export async function revisionFor(
  ctx: Context,
  spaceId: string,
  revisionId?: string | null,
): Promise<{ space: SpaceRow; revision: RevisionRow }> {
  const space = await spaceFor(ctx, spaceId, needs.getRevision.space);
  const id = revisionId ?? space.revision_id;
  const revision = await ctx.db
    .selectFrom('revision')
    .where('id', '=', id)
    .where('space_id', '=', space.id)
    .selectAll()
    .executeTakeFirst();
  if (!revision || (id !== space.revision_id && !atLeast(space.level, 'read'))) throw notFound('revision', id);
  return { space, revision };
}
