import { namedEnum } from '../../../platform/named-enum.ts';

export const blockChangeKind = namedEnum('BlockChangeKind', 'How a block differs between two revisions.', {
  added: 'The block was added.',
  edited: 'The block was edited, and possibly moved.',
  moved: 'The block was moved.',
  deleted: 'The block was deleted.',
});

export const wordChange = namedEnum('WordChange', 'How the words of a line differ between two revisions.', {
  same: 'The words were kept.',
  added: 'The words were added.',
  deleted: 'The words were deleted.',
});
