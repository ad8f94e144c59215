import { sql } from 'kysely';
import { z } from 'zod';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { idOf } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { type SpaceRow, spaceFor } from '../../places/spaces/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

/**
 * A revision of a space that the caller may view: the head when no id is given. One of another space is absent. Those
 * whom only a published site admits see the head and nothing else: history and change requests are not published.
 */
export async function revisionFor(
  ctx: Context,
  spaceId: string,
  revisionId?: string | null,
): Promise<{ space: SpaceRow; revision: RevisionRow }> {
  const space = await spaceFor(ctx, spaceId, permissions.getRevision.space);
  const id = revisionId ?? space.revisionId;
  const revision = await ctx.db
    .selectFrom('revision')
    .where('id', '=', id)
    .where('spaceId', '=', space.id)
    .selectAll()
    .executeTakeFirst();
  if (!revision || (id !== space.revisionId && !atLeast(space.role, 'read'))) throw notFound('revision', id);
  return { space, revision };
}

/** Names a state of a space's content, for every operation that reads it. */
export const revisionName = {
  spaceId: idOf('space'),
  revisionId: idOf('rev').nullish().describe('The revision; the head when absent.'),
  changeRequestId: idOf('cr')
    .nullish()
    .describe('The change request whose content it is, by its id or number; not together with a revision.'),
  metadata: z.boolean().default(true).describe('Whether git metadata is included.'),
  computed: z.boolean().default(true).describe('Whether computed content is included.'),
};

/** What `revisionName` names: the head of a change request, a revision, or the head of the space. */
export async function revisionOf(
  ctx: Context,
  name: { spaceId: string; revisionId?: string | null | undefined; changeRequestId?: string | null | undefined },
): Promise<{ space: SpaceRow; revision: RevisionRow }> {
  const { spaceId, revisionId, changeRequestId } = name;
  if (!changeRequestId) return revisionFor(ctx, spaceId, revisionId || null);
  const space = await spaceFor(ctx, spaceId, permissions.getRevision.space);
  const isNumber = NUMBER.test(changeRequestId);
  const revision = atLeast(space.role, permissions.getChangeRequest.space)
    ? await ctx.db
        .selectFrom('change_request')
        .innerJoin('revision', 'revision.id', 'change_request.revisionId')
        .where('change_request.spaceId', '=', space.id)
        .where(
          isNumber
            ? sql<boolean>`number = ${Number(changeRequestId)}`
            : sql<boolean>`change_request.id = ${changeRequestId}`,
        )
        .selectAll('revision')
        .executeTakeFirst()
    : undefined;
  if (!revision) throw notFound('change request', changeRequestId);
  return { space, revision };
}

/** As it is shown; ids are never digits only (docs/decisions.md, Identifiers). */
const NUMBER = /^[1-9][0-9]{0,8}$/;
