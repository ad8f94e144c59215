import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const gitRunStatus = namedEnum(
  'GitRunStatus',
  'Progress of a Git import or export, from the queue to its result.',
  {
    pending: 'Queued.',
    'in-progress': 'Reading, merging or writing.',
    completed: 'Branch and space were synchronized in the direction of the run.',
    failed: 'Failed. Neither the branch nor the space was changed. See `reason`.',
    cancelled: 'Cancelled by a user.',
    skipped: 'Skipped, because an operation with a later `timestamp` had already completed.',
  },
);

export const gitHost = namedEnum('GitHost', 'Service that hosts a Git repository.', {
  github: 'GitHub.',
  gitlab: 'GitLab.',
});

export const gitPreviewKind = namedEnum('GitPreviewKind', 'Kind of object that a Git import or export would change.', {
  page: 'A page of the space.',
  file: 'A file of the space, for an import, or of the branch, for an export.',
});

export const gitPreviewEffect = namedEnum('GitPreviewEffect', 'Effect on a page or file.', {
  added: 'It would be added.',
  changed: 'It would change.',
  removed: 'It would be removed.',
});
