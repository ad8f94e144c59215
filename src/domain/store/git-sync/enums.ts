import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const gitProvider = namedEnum('GitProvider', 'Service that hosts a Git repository.', {
  github: 'GitHub.',
  gitlab: 'GitLab.',
  'github-legacy': 'GitHub, by an integration that is no longer supported.',
});

export const gitInstallationStatus = namedEnum('GitInstallationStatus', 'Status of a Git synchronization.', {
  active: 'The space is synchronized with the branch.',
  pending: 'An import or export is queued or running, or none has succeeded yet.',
  unauthenticated: 'Not used in this release: each import and export brings its own credentials.',
});

export const gitDirection = namedEnum('GitDirection', 'Direction of a Git synchronization.', {
  import: 'From the branch to the space.',
  export: 'From the space to the branch.',
});

export const gitOperationState = namedEnum('GitOperationState', 'State of the latest Git synchronization of a space.', {
  running: 'Queued or running.',
  failure: 'Failed or cancelled.',
  success: 'Completed.',
  timeout: 'Interrupted several times.',
});
