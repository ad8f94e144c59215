import { namedEnum } from '../../../platform/named-enum.ts';

export const mergeResult = namedEnum('MergeResult', 'What came of merging a change request.', {
  merge: 'Its changes are in the primary content.',
  conflicts: 'Both sides changed the same thing. Nothing was written.',
});

export const pullResult = namedEnum('PullResult', 'What came of bringing a change request up to date.', {
  update: 'It has everything that the primary content has.',
  conflicts: 'Both sides changed the same thing. Nothing was written.',
});

export const conflictSide = namedEnum('ConflictSide', 'One of the three versions that a conflict is between.', {
  base: 'What both sides began with.',
  ours: "The change request's.",
  theirs: "The primary content's.",
});

export const conflictKind = namedEnum('ConflictKind', 'How two sides contradict each other.', {
  field: 'One field was changed differently; `field` names it, `parent` being the place of a page.',
  block: 'One block of a body was changed differently; `block` is its key.',
  'deleted-vs-edited': 'One side deleted what the other edited.',
  'child-under-deleted': 'One side deleted a page under which the other put the pages listed.',
  cycle: 'Moves of both sides would put the pages listed below one another.',
  limits: 'The pages listed would make a parent too full, or the tree too deep.',
});

export const conflictTarget = namedEnum('ConflictTarget', 'What a conflict is about.', {
  page: 'A page or, without an id, the top level of the tree.',
  file: 'One of the files, by id.',
  'reusable-content': 'Content that pages share, by id.',
  variable: 'A variable of the space.',
});
