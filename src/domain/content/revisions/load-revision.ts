import { sql } from 'kysely';
import { isPreviewing } from '../../../platform/access/actor.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { isVisible, sharedRowsInSpaces } from '../../people/access/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

const readRevisions = sharedRowsInSpaces<RevisionRow & { isHead: boolean }>(
  { select: sql`r.*, r.id = s.revision_id as "isHead"`, from: sql`revision r`, row: 'r', isOnSites: true },
  { where: (ids) => sql`r.id = any(${ids}::text[])`, keyOf: ({ id }) => id },
);

/** Revisions by id, batched. Omits those that the caller cannot view, by the rules of `revisionFor`. */
export const loadRevision = rowLoader<RevisionRow>('revision', async (ctx, ids) => {
  const revisions = await readRevisions(ctx, ids);
  return revisions.filter(({ role, isHead, spaceId, ...access }) =>
    isHead ? isVisible({ role, ...access }) : atLeast(role, 'read') || isPreviewing(ctx.actor, spaceId),
  );
});
