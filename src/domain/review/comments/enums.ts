import { namedEnum } from '../../../platform/named-enum.ts';

const STATUSES = { open: 'Not settled yet.', resolved: 'Settled. It can be reopened.' } as const;

export const commentStatus = namedEnum('CommentStatus', 'Whether a comment is settled.', STATUSES);

export const commentStatusFilter = namedEnum('CommentStatusFilter', 'Which comments to list.', {
  ...STATUSES,
  all: 'Whatever their status.',
});

export const commentOrderField = namedEnum('CommentOrderField', 'What comments are sorted by.', {
  postedAt: 'When they were posted.',
});
