import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const blockChangeKind = namedEnum('BlockChangeKind', 'Kind of difference of a block between two revisions.', {
  added: 'The block was added.',
  edited: 'The block was edited, and possibly moved.',
  moved: 'The block was moved.',
  deleted: 'The block was deleted.',
});

export const wordChange = namedEnum('WordChange', 'Kind of difference of words in a line between two revisions.', {
  same: 'The words were kept.',
  added: 'The words were added.',
  deleted: 'The words were deleted.',
});
