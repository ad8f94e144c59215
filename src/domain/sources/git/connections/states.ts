import { isSsh } from '../repository-url.ts';
import type { RemoteFault } from '../transport/remote.ts';
import type { GitConnectionRow } from './access.ts';
import type { GitConnectionState } from './enums.ts';

/** Reason why a run of a connection failed: a fault of the repository, or one of the service itself. */
export type FaultCode = RemoteFault['code'] | 'NO_CONTENT' | 'FORBIDDEN' | 'OTHER';

const STATES: Record<FaultCode, GitConnectionState> = {
  UNREACHABLE: 'unreachable',
  UNREADABLE: 'unreachable',
  UNAUTHORIZED: 'unauthorized',
  HOST_KEY: 'host-key-changed',
  SECRET_UNREADABLE: 'secret-unreadable',
  NOT_FOUND: 'repository-missing',
  NO_BRANCH: 'branch-missing',
  NO_DIRECTORY: 'directory-missing',
  NO_CONTENT: 'no-content',
  UNRELATED: 'unrelated-history',
  TOO_LARGE: 'too-large',
  REJECTED: 'push-rejected',
  MOVED: 'failed',
  FORBIDDEN: 'forbidden',
  OTHER: 'failed',
};

/** The state of a connection after a run that failed. */
export const stateAfter = (code: FaultCode): GitConnectionState => STATES[code];

const AGAIN = 'The service retries with the next poll or push. To retry at once, call `syncGitConnection`.';

const REMEDIES: Record<GitConnectionState, (row: GitConnectionRow) => string | null> = {
  active: () => null,
  pending: () => 'See what would change with `previewGitConnection`, then start with `startGitConnection`.',
  paused: () => 'Resume with `updateGitConnection` and `isPaused: false`.',
  conflicts: () =>
    'Resolve the conflicts of the change request and merge it, or archive it to keep the text of the space.',
  protected: ({ pullRequestUrl, proposalRef, ref }) =>
    pullRequestUrl === null
      ? `Merge the branch ${shortRef(proposalRef ?? '')} into ${shortRef(ref)}, or allow the user of the token to push to ${shortRef(ref)}.`
      : `Merge the pull request, or allow the user of the token to push to ${shortRef(ref)}.`,
  unauthorized: ({ repositoryUrl }) =>
    isSsh(repositoryUrl)
      ? 'Add the public key of the connection, `sshPublicKey`, to the repository as a deploy key with write access.'
      : 'Set a URL with a valid user name and a token that may read and push.',
  'host-key-changed': () =>
    'Compare the key of the host with the key that its operator publishes. To trust the host, set `sshHostKeys` to the new key, or to null to trust the key of the next connection.',
  'secret-unreadable': ({ repositoryUrl }) =>
    isSsh(repositoryUrl)
      ? 'Replace the key pair with `rotateGitSshKey`, and add the new public key, `sshPublicKey`, to the repository.'
      : 'Set a URL with a user name and token again.',
  forbidden: () =>
    'A user who may change the space must update or start the connection. Its runs then have the permissions of that user.',
  unreachable: () => `Check the URL and the server. ${AGAIN}`,
  'repository-missing': () => 'Correct the URL, or give the user of the token access to the repository.',
  'repository-empty': () => 'Push a commit, or start with `side: SPACE` to write the content of the space.',
  'branch-missing': ({ ref }) =>
    `Restore the branch ${shortRef(ref)}, or set another \`ref\`. To write the content of the space to a new branch, start with \`side: SPACE\`.`,
  'directory-missing': () => 'Set `repoProjectDirectory` to the new directory of the documentation.',
  'no-content': () => 'Restore the pages in the branch, or start with `side: SPACE` to write the pages of the space.',
  'unrelated-history': () =>
    'Choose the side that wins with `startGitConnection` and `side`. The content of the other side is kept.',
  'push-rejected': () => 'Allow the user of the token to push, or change the rule of the server that refuses the push.',
  'too-large': () => 'Set `repoProjectDirectory` to a smaller directory, or remove files from the branch or the space.',
  failed: () => `See the last run. ${AGAIN}`,
};

/** Next step for a person. Null if none is needed. */
export const remedyFor = (row: GitConnectionRow): string | null => REMEDIES[row.state](row);

export const shortRef = (ref: string) => ref.replace(/^refs\/heads\//, '');
