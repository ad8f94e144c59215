import { anyOf } from '../../../platform/database/any-of.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { mayView, reaches, roleOn } from '../../people/access/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

/** Revisions by id, batched. Omits those that the caller cannot view, by the rules of `revisionFor`. */
export const loadRevision = rowLoader<RevisionRow>('revision', ({ db, actor }, ids) =>
  db
    .selectFrom('revision as r')
    .innerJoin('space as s', 's.id', 'r.spaceId')
    .where('r.id', '=', anyOf(ids))
    .where('s.deletedAt', 'is', null)
    .where(mayView(actor, 's'))
    .where((its) => its.or([its('r.id', '=', its.ref('s.revisionId')), reaches(roleOn.space(actor, 's'), 'read')]))
    .selectAll('r')
    .execute(),
);
