import { namedEnum } from '../../../platform/named-enum.ts';

export const revisionType = namedEnum('RevisionType', 'How a revision came to be.', {
  edits: 'Somebody edited the content.',
  merge: 'A change request was merged.',
  rollback: 'An earlier state was restored.',
  update: 'A change request pulled in the primary content.',
  computed: 'Computed from another source.',
});
