import { namedEnum } from '../../../platform/shapes/named-enum.ts';

const STATUSES = { open: 'Not resolved.', resolved: 'Resolved. Can be reopened.' } as const;

export const commentStatus = namedEnum('CommentStatus', 'Whether a comment is open or resolved.', STATUSES);

export const commentStatusFilter = namedEnum('CommentStatusFilter', 'Filters comments by status.', {
  ...STATUSES,
  all: 'Comments of any status.',
});

export const commentOrderField = namedEnum('CommentOrderField', 'Field that comments are sorted by.', {
  postedAt: 'Time when the comment was posted.',
});
