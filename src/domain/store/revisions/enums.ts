import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const revisionType = namedEnum('RevisionType', 'How a revision was created.', {
  edits: 'By an edit of the content.',
  merge: 'By merging a change request.',
  rollback: 'By restoring an earlier revision.',
  update: 'By updating a change request with the primary content.',
  computed: 'By computing content from another source.',
});
