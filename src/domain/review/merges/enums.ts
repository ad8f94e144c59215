import { namedEnum } from '../../../platform/named-enum.ts';

export const mergeResult = namedEnum('MergeResult', 'Result of merging a change request.', {
  merge: 'The change request was merged into the primary content.',
  conflicts: 'There are conflicts. Nothing was changed.',
});

export const pullResult = namedEnum('PullResult', 'Result of updating a change request.', {
  update: 'The change request contains the current primary content.',
  conflicts: 'There are conflicts. Nothing was changed.',
});

export const conflictSide = namedEnum('ConflictSide', 'One of the three versions of a merge.', {
  base: 'The common ancestor of the two versions.',
  ours: 'The version of the change request.',
  theirs: 'The version of the primary content.',
});

export const conflictKind = namedEnum('ConflictKind', 'Kind of a merge conflict.', {
  field: 'Both versions changed the field `field`. The parent of a page is the field `parent`.',
  block: 'Both versions changed the block of a body with the key `block`.',
  'deleted-vs-edited': 'One version deleted what the other edited.',
  'child-under-deleted': 'One version deleted a page below which the other added or moved the listed pages.',
  cycle: 'The moves of both versions together would put the listed pages below each other.',
  limits: 'The listed pages would exceed the number of pages below one parent, or the depth of the tree.',
});

export const conflictTarget = namedEnum('ConflictTarget', 'Type of the object in conflict.', {
  page: 'A page or, without an ID, the top level of the page tree.',
  file: 'A file of the space.',
  'reusable-content': 'A reusable content of the space.',
  variable: 'A variable of the space.',
});
