import type { z } from 'zod';
import { namedEnum } from '../../../../platform/named-enum.ts';

export const gitSide = namedEnum('GitSide', 'A side of a Git synchronization.', {
  branch: 'The Git branch.',
  space: 'The space, with its primary content.',
});

export type GitSide = z.output<typeof gitSide>;

export const gitConnectionState = namedEnum(
  'GitConnectionState',
  'State of the connection of a space to a Git branch. In every state but `pending` and `paused`, synchronization goes on or is tried again.',
  {
    pending: 'Not started yet.',
    active: 'Space and branch are synchronized.',
    paused: 'Paused by a user.',
    conflicts: 'Synchronized, except for what a change request with conflicts is about.',
    protected: 'The branch refuses pushes. Commits go to a branch of their own, to be merged.',
    unauthorized: 'The server refuses the credentials.',
    'host-key-changed':
      'The host of the repository has another SSH key than those that are trusted. Nothing was sent to it.',
    'secret-unreadable':
      'The stored token or SSH key cannot be read, since the secret key of the service was lost. Nothing is sent to the repository.',
    forbidden: 'The user whose permissions the connection has can no longer change the space.',
    unreachable: 'The server cannot be reached, or does not respond as a Git server.',
    'repository-missing': 'The server has no such repository, or hides it from the credentials.',
    'repository-empty': 'The repository has no commit.',
    'branch-missing': 'The branch was deleted or renamed.',
    'directory-missing': 'The branch does not have the project directory.',
    'no-content': 'The branch has no page. The space keeps its content.',
    'unrelated-history':
      'The history of the branch was replaced, and no page of the space is left in it. The space keeps its content.',
    'push-rejected': 'The server refuses pushes to the branch and to the branch for proposals.',
    'too-large': 'The repository exceeds a limit.',
    failed: 'The last run failed for another reason.',
  },
);

export type GitConnectionState = z.output<typeof gitConnectionState>;

export const gitSecret = namedEnum('GitSecret', 'A secret of a connection of a space to a Git branch.', {
  credentials: 'User name and token. `updateGitConnection` sets them with a URL.',
  'hook-secret': 'Secret of the hook. `rotateGitHookSecret` replaces it.',
  'ssh-key': 'Private SSH key. `rotateGitSshKey` replaces it.',
});

export const gitCheckName = namedEnum('GitCheckName', 'What a check of a connection is about.', {
  address: 'Whether the URL is that of a Git repository that can be reached with the credentials.',
  rights: 'Whether the credentials allow pushes.',
  branch: 'Whether the branch exists.',
  layout: 'Whether the project directory has pages.',
  hook: 'Whether the hook is used.',
});

export const gitCheckOutcome = namedEnum('GitCheckOutcome', 'How serious what a check found is.', {
  ok: 'Nothing to do.',
  warning: 'Works, but something can be better.',
  error: 'Does not work.',
  skipped: 'Not checked, since an earlier check failed.',
});
