import { sql } from 'kysely';
import { atLeast } from '../../../platform/access/roles.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { isVisible, rowsOf, withAccess } from '../../people/access/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

/** Revisions by id, batched. Omits those that the caller cannot view, by the rules of `revisionFor`. */
export const loadRevision = rowLoader<RevisionRow>('revision', async (ctx, ids) => {
  const found = await withAccess(ctx, { kind: 'space', row: 's' }, ({ columns }) =>
    rowsOf<RevisionRow & { isHead: boolean }>(
      ctx,
      sql`
        select r.*, r.id = s.revision_id as "isHead", ${columns}
        from revision r
        join space s on s.id = r.space_id
        join access_version av on av.organization_id = s.organization_id
        where r.id = any(${ids}::text[]) and s.deleted_at is null`,
    ),
  );
  return found.filter(({ role, isHead, ...access }) =>
    isHead ? isVisible({ role, ...access }) : atLeast(role, 'read'),
  );
});
