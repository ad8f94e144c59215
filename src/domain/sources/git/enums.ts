import { namedEnum } from '../../../platform/named-enum.ts';

export const gitRunStatus = namedEnum(
  'GitRunStatus',
  'Progress of a Git import or export, from the queue to its result.',
  {
    pending: 'Queued.',
    'in-progress': 'Reading, merging or writing.',
    completed: 'Branch and space were synchronized in the direction of the run.',
    failed: 'Failed. Neither the branch nor the space was changed. See `reason`.',
    cancelled: 'Cancelled by a user.',
    skipped: 'Not done, because an operation with a later `timestamp` was done before.',
  },
);

export const gitHost = namedEnum('GitHost', 'Service that hosts a Git repository.', {
  github: 'GitHub.',
  gitlab: 'GitLab.',
});
