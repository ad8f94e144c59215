import { sql } from 'kysely';
import { z } from 'zod';
import { isPreviewing } from '../../../platform/access/actor.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { resourceNumber } from '../../../platform/ids/ids.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';
import { permissions } from '../../people/access/index.ts';
import { type SpaceRow, spaceFor } from '../../places/spaces/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import type { ReadRevision } from '../computed-sources/index.ts';

/** Revisions by id, without checking access. */
const readRevisions = sharedRead<RevisionRow>(async (db, ids) => {
  const rows = await db.selectFrom('revision').where('id', '=', anyOf(ids)).selectAll().execute();
  return new Map(rows.map((row) => [row.id, row]));
});

/**
 * A revision of a space that the caller can view. Without an id, it is the head. Revisions of other spaces are
 * NOT_FOUND. Callers who only have access through a published site can view nothing but the head, because history and
 * change requests are not published, unless they preview it.
 */
export async function revisionFor(
  ctx: Context,
  spaceId: string,
  revisionId?: string | null,
): Promise<{ space: SpaceRow; revision: RevisionRow }> {
  const space = await spaceFor(ctx, spaceId, permissions.getRevision.space);
  const id = revisionId ?? space.revisionId;
  const revision = (await readRevisions(ctx, [id])).get(id);
  if (revision?.spaceId !== space.id || (id !== space.revisionId && !seesHistory(ctx, space)))
    throw notFound('revision', id);
  return { space, revision };
}

/** Whether the caller can read earlier revisions and change requests of a space that it can view. */
const seesHistory = ({ actor }: Context, { id, role }: SpaceRow): boolean =>
  atLeast(role, permissions.getChangeRequest.space) || isPreviewing(actor, id);

/** Input that selects a revision of a space, for every operation that reads content. */
export const revisionName = {
  spaceId: idOf('space'),
  revisionId: idOf('rev')
    .nullish()
    .describe('ID of the revision. Default: the current revision of the primary content.'),
  changeRequestId: idOf('cr')
    .nullish()
    .describe('ID or number of the change request whose content is read. Cannot be combined with a revision.'),
  metadata: z.boolean().default(true).describe('Whether to include Git metadata.'),
  computed: z
    .boolean()
    .default(true)
    .describe(
      'Whether to replace computed pages by the pages of their source, and to compute reusable contents. Pages whose source cannot be computed are returned as they are.',
    ),
};

/**
 * The revision that `revisionName` selects: the head of a change request, a revision, or the head of the space. With
 * the ID of the change request, which may be named by its number.
 */
export async function revisionOf(
  ctx: Context,
  { computed, metadata, ...name }: RevisionName & { computed?: boolean; metadata?: boolean },
): Promise<{ space: SpaceRow; revision: ReadRevision; changeRequestId: string | null }> {
  const { space, revision, changeRequestId } = await namedRevision(ctx, name);
  const requested = metadata === false ? { ...revision, git: null } : revision;
  return { space, revision: computed === false ? { ...requested, isUncomputed: true } : requested, changeRequestId };
}

interface RevisionName {
  spaceId: string;
  revisionId?: string | null | undefined;
  changeRequestId?: string | null | undefined;
}

async function namedRevision(
  ctx: Context,
  { spaceId, revisionId, changeRequestId }: RevisionName,
): Promise<{ space: SpaceRow; revision: RevisionRow; changeRequestId: string | null }> {
  if (!changeRequestId) return { ...(await revisionFor(ctx, spaceId, revisionId || null)), changeRequestId: null };
  const space = await spaceFor(ctx, spaceId, permissions.getRevision.space);
  const number = resourceNumber(changeRequestId);
  const row = seesHistory(ctx, space)
    ? await ctx.db
        .selectFrom('change_request')
        .innerJoin('revision', 'revision.id', 'change_request.revisionId')
        .where('change_request.spaceId', '=', space.id)
        .where(
          number === undefined
            ? sql<boolean>`change_request.id = ${changeRequestId}`
            : sql<boolean>`change_request.number = ${number}`,
        )
        .selectAll('revision')
        .select('change_request.id as namedId')
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound('change request', changeRequestId);
  const { namedId, ...revision } = row;
  return { space, revision, changeRequestId: namedId };
}
