import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { derivedId } from '../../../platform/ids/ids.ts';
import { andThen } from '../../../platform/reads/loader.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { accessLoader } from '../../people/access/index.ts';
import { gitDirection, gitInstallationStatus, gitOperationState, gitProvider } from './enums.ts';
import { type GitBlob, type GitOperation, type GitSyncRow, latestGitOperation } from './load.ts';

/** Readers see neither where a repository is nor what its server answers. */
const ifImporter = (ctx: Context, spaceId: string, text: string | null) =>
  andThen(accessLoader.space.peek(ctx, spaceId), (access) => (atLeast(access?.role, 'create') ? text : null));

const operation = resource<GitOperation>(
  { name: 'GitOperation', description: 'The latest import from or export to the Git branch of a space.' },
  (f) => ({
    state: f.enum(gitOperationState)('State of the operation.', ({ status }) => stateOf(status)),
    direction: f.enum(gitDirection)('Direction of the operation.', ({ direction }) => direction),
    startedAt: f.time('Time when the operation was requested.', ({ createdAt }) => createdAt),
    endedAt: f.time.optional('Time when the operation ended. Null while it is running.', (row) => row.completedAt),
    error: f.string.optional(
      'Reason for the failure. Null unless it failed and you can import into the space.',
      ({ spaceId, reason }, ctx) => ifImporter(ctx, spaceId, reason),
    ),
  }),
);

function stateOf(status: GitOperation['status']): 'running' | 'failure' | 'success' {
  if (status === 'pending' || status === 'in-progress') return 'running';
  return status === 'failed' || status === 'cancelled' ? 'failure' : 'success';
}

/** The Git branch that a space is synchronized with. */
export const gitSync = resource<GitSyncRow>(
  {
    name: 'GitSync',
    description: 'The Git branch that a space was last synchronized with, or will be for the first time.',
  },
  (f) => ({
    repoName: f.string('Name of the repository, with its owner if the URL contains one.', ({ repositoryUrl }) =>
      nameOf(repositoryUrl),
    ),
    installationId: f.string(
      'ID of the synchronization. The same for all branches of a space.',
      ({ spaceId }) => derivedId('installation', spaceId),
      { graph: false },
    ),
    installationStatus: f.enum(gitInstallationStatus)(
      'Status of the synchronization.',
      async ({ spaceId, commitOid }, ctx) => {
        const latest = await latestGitOperation(ctx, spaceId);
        return commitOid === null || (latest && stateOf(latest.status) === 'running') ? 'pending' : 'active';
      },
    ),
    installationProvider: f.apart({
      graph: f
        .enum(gitProvider)
        .optional(
          'Service that hosts the repository. Null if it is neither GitHub nor GitLab.',
          ({ provider }) => provider,
        ),
      // Clients require one of the values.
      rest: f.enum(gitProvider)(
        'Service that hosts the repository. `gitlab` for every service but GitHub; `integration` is `git` for those that are neither.',
        ({ provider }) => provider ?? 'gitlab',
      ),
    }),
    integration: f.string(
      'Name of the service that hosts the repository, such as `github`. `git` for other services.',
      ({ provider }) => provider ?? 'git',
    ),
    url: f.url.optional(
      'URL of the repository, without credentials. Null unless you can import into the space.',
      ({ spaceId, url, repositoryUrl }, ctx) => ifImporter(ctx, spaceId, url ?? repositoryUrl),
    ),
    ref: f.string('Full name of the branch.', ({ ref }) => ref, { rest: false }),
    projectDirectory: f.string(
      'Directory of the documentation in the repository. Empty for the whole repository.',
      (row) => row.projectDirectory,
      { rest: false },
    ),
    commit: f.string.optional(
      'Hash (object ID) of the commit that was last synchronized. Null until an import or export has succeeded.',
      ({ commitOid }) => commitOid,
      { rest: false },
    ),
    operation: f
      .object(() => operation)
      .optional('The latest import or export. Null if there is none.', ({ spaceId }, ctx) =>
        latestGitOperation(ctx, spaceId),
      ),
    updatedAt: f.time(
      'Time of the latest synchronization, or of the first request for one.',
      ({ updatedAt }) => updatedAt,
    ),
  }),
);

const nameOf = (url: string) =>
  (URL.parse(url)?.pathname ?? url)
    .replace(/\.git$/, '')
    .split('/')
    .filter((part) => part !== '')
    .slice(-2)
    .join('/');

/** The file of a page, file or reusable content in the branch. */
export const gitBlob = resource<GitBlob>(
  { name: 'GitBlob', description: 'The file in the Git branch that a part of a space is synchronized with.' },
  (f) => ({
    oid: f.string('Hash (object ID) of the file.', ({ oid }) => oid),
    path: f.string('Path of the file in the repository.', ({ path }) => path),
  }),
);
