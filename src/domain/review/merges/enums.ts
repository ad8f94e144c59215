import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const mergeResult = namedEnum('MergeResult', 'Result of merging a change request.', {
  merge: 'The change request was merged into the primary content.',
  conflicts: 'There are conflicts. Nothing was changed.',
});

export const pullResult = namedEnum('PullResult', 'Result of updating a change request.', {
  update: 'The change request contains the current primary content.',
  conflicts: 'There are conflicts. Nothing was changed.',
});

export const conflictSide = namedEnum('ConflictSide', 'One of the three versions that a merge compares.', {
  base: 'The common ancestor of the two versions.',
  ours: 'The version of the change request.',
  theirs: 'The version of the primary content.',
});

export const conflictKind = namedEnum('ConflictKind', 'Kind of a merge conflict.', {
  field: 'Both versions changed the field that `field` names. The parent of a page is the field `parent`.',
  block: 'Both versions changed the block of a body whose key is `block`.',
  'deleted-vs-edited': 'One version deleted an object that the other edited.',
  'child-under-deleted':
    'One version deleted a page, and the other added the other pages of the conflict below it or moved them there.',
  cycle:
    'The moves of both versions together would place the page and the other pages of the conflict below each other.',
  limits:
    'With the other pages of the conflict, the merged tree would have too many pages below one parent, or too many levels.',
});

export const conflictTarget = namedEnum('ConflictTarget', 'Type of the object in conflict.', {
  page: 'A page, or the top level of the page tree if `targetId` is null.',
  file: 'A file of the space.',
  'reusable-content': 'A reusable content of the space.',
  variable: 'A variable of the space.',
});
