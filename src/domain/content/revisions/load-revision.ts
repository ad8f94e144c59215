import { sql } from 'kysely';
import { rowLoader } from '../../../platform/loader.ts';
import { levelOn, mayView, reaches } from '../../people/access/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

/** Revisions by id, batched; those of spaces that the caller may not view are left out, as `revisionFor` would. */
export const loadRevision = rowLoader<RevisionRow>('revision', async (ctx, ids) => {
  const seesHistory = reaches(levelOn.space(ctx.actor, 's'), 'read');
  const { rows } = await sql<RevisionRow>`
    select r.* from revision r join space s on s.id = r.space_id
    where r.id = any(${ids}::text[]) and s.deleted_at is null and ${mayView(ctx.actor, 's')}
      and (r.id = s.revision_id or ${seesHistory})`.execute(ctx.db);
  return rows;
});
