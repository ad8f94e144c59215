import type { z } from 'zod';
import { namedEnum } from '../../../../platform/shapes/named-enum.ts';

export const gitSide = namedEnum('GitSide', 'A side of a Git synchronization.', {
  branch: 'The Git branch.',
  space: 'The space, with its primary content.',
});

export type GitSide = z.output<typeof gitSide>;

export const gitConnectionState = namedEnum(
  'GitConnectionState',
  'State of the connection of a space to a Git branch. In all states except `pending` and `paused`, synchronization continues or is retried.',
  {
    pending: 'Not started yet.',
    active: 'Space and branch are synchronized.',
    paused: 'Paused by a user.',
    conflicts: 'Synchronized, except for conflicting changes, which are in a change request.',
    protected: 'The branch refuses pushes. Commits are pushed to a separate branch, to be merged.',
    unauthorized: 'The server refuses the credentials.',
    'host-key-changed': "The repository's host presented an SSH key that is not trusted. Nothing was sent to it.",
    'secret-unreadable':
      "The stored token or SSH key cannot be read because the service's secret key was lost. Nothing is sent to the repository.",
    forbidden: 'The user whose permissions the connection has can no longer change the space.',
    unreachable: 'The server cannot be reached, or does not respond as a Git server.',
    'repository-missing': 'The server has no such repository, or hides it from the credentials.',
    'repository-empty': 'The repository has no commits.',
    'branch-missing': 'The branch was deleted or renamed.',
    'directory-missing': 'The branch does not have the project directory.',
    'no-content': 'The branch has no pages. The space keeps its content.',
    'unrelated-history':
      "The branch does not contain the commit that was synchronized last, and none of the space's pages, or it is not known whether it contains that commit. The space keeps its content.",
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

export const gitCheckName = namedEnum('GitCheckName', 'Subject of a connection check.', {
  address: 'Whether the Git repository at the URL can be reached with the credentials.',
  rights: 'Whether the credentials allow pushes.',
  branch: 'Whether the branch exists.',
  layout: 'Whether the project directory has pages.',
  hook: 'Whether the hook is used.',
});

export const gitCheckOutcome = namedEnum('GitCheckOutcome', 'Severity of the result of a connection check.', {
  ok: 'Nothing to do.',
  warning: 'Works, but can be improved.',
  error: 'Does not work.',
  skipped: 'Not checked, because an earlier check failed.',
});
