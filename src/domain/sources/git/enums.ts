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

export const gitPreviewKind = namedEnum('GitPreviewKind', 'What a Git import or export would change.', {
  page: 'A page of the space.',
  file: 'A file of the space, for an import, or of the branch, for an export.',
});

export const gitPreviewEffect = namedEnum('GitPreviewEffect', 'What would happen to a page or file.', {
  added: 'It would be added.',
  changed: 'It would change.',
  removed: 'It would be removed.',
});
