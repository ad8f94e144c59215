import { storedSecret } from '../../../platform/secret-key/stored-secret.ts';

/** Credentials of Git runs that have not ended, as `user:password`. */
export const runCredentials = storedSecret({
  table: 'git_run',
  column: 'credentials',
  key: { id: 'id' },
  place: ({ id }) => `git_run ${id}`,
  plural: 'credentials of Git operations',
  name: 'password or token of the operation',
  remedy: 'Start it again.',
});
