import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { outcomeCounts, reportEntry } from '../../content/imports/index.ts';
import { loadUser, user } from '../../people/users/index.ts';
import { type GitLogEntry, gitDirection } from '../../store/git-sync/index.ts';
import { type GitRunRow, loadGitReport } from './access.ts';
import { gitRunStatus } from './enums.ts';

const logEntry = resource<GitLogEntry>(
  { name: 'GitLogEntry', description: 'A step of a Git import or export.' },
  (f) => ({
    at: f.time('Time of the step.', ({ at }) => at),
    message: f.string('What was done.', ({ message }) => message),
  }),
);

const urls = resource<GitRunRow>({ name: 'GitRunUrls', description: 'URLs of a Git import or export.' }, (f) => ({
  location: f.url('URL of the run in the REST API.', ({ id, spaceId }, ctx) =>
    locationUrl(ctx, `/v1/spaces/${spaceId}/git/runs/${id}`),
  ),
}));

const LOG = 'What was done, up to 100 steps.';
const REPORT = 'Parts of the branch or the space that could not be synchronized unchanged, up to 1,000 entries.';

export const gitRun = resource<GitRunRow>(
  {
    name: 'GitRun',
    object: 'git-run',
    node: 'gitrun',
    description: 'An import from a Git branch or an export to one.',
  },
  (f) => ({
    direction: f.enum(gitDirection)('Direction of the synchronization.', ({ direction }) => direction),
    status: f.enum(gitRunStatus)('Status of the run.', ({ status }) => status),
    reason: f.string.optional('Reason for the failure. Null unless the run failed.', ({ reason }) => reason),
    url: f.url('URL of the repository, without credentials.', ({ repositoryUrl }) => repositoryUrl),
    ref: f.string('Full name of the branch.', ({ ref }) => ref),
    projectDirectory: f.string(
      'Directory of the documentation in the repository. Empty for the whole repository.',
      (run) => run.projectDirectory,
    ),
    force: f.boolean('Whether one side wins over changes of the other.', ({ force }) => force),
    standalone: f.boolean(
      'Whether the run creates a revision without changing the primary content.',
      ({ standalone }) => standalone,
    ),
    timestamp: f.time('Time of the event that triggered the run.', ({ operationAt }) => operationAt),
    createdBy: f.reference(() => user, 'User who started the run.', {
      prefix: 'user',
      isRequired: true,
      id: ({ createdBy }) => createdBy,
      load: ({ createdBy }, ctx) => loadUser(ctx, createdBy),
    }),
    createdAt: f.time('Time when the run was created.', ({ createdAt }) => createdAt),
    updatedAt: f.time('Time when the progress or the status was last updated.', ({ updatedAt }) => updatedAt),
    startedAt: f.time.optional('Time when the run started. Null if it has not started.', ({ startedAt }) => startedAt),
    completedAt: f.time.optional('Time when the run ended. Null until then.', ({ completedAt }) => completedAt),
    filesRead: f.count('Number of files of the branch that were fetched.', ({ filesRead }) => filesRead),
    pagesRead: f.count('Number of pages that were read.', ({ pagesRead }) => pagesRead),
    filesChanged: f.count('Number of files that the commit of an export changed.', ({ filesChanged }) => filesChanged),
    ...outcomeCounts(f),
    commit: f.string.optional(
      'Hash (object ID) of the commit. Null until the run is completed.',
      (run) => run.commitOid,
    ),
    revision: f.id('rev').optional('ID of the revision.', ({ revisionId }) => revisionId, { graph: false }),
    changeRequest: f
      .id('cr')
      .optional('ID of the change request with what branch and space disagree on.', (run) => run.changeRequestId, {
        graph: false,
      }),
    // Too long for lists in REST; `GitRunWithReport` has them.
    log: f.list(types.object(() => logEntry))(LOG, async ({ id }, ctx) => (await loadGitReport(ctx, id))?.log ?? [], {
      rest: false,
    }),
    report: f.list(types.object(() => reportEntry))(
      REPORT,
      async ({ id }, ctx) => (await loadGitReport(ctx, id))?.report ?? [],
      { rest: false },
    ),
    urls: f.object(() => urls)('URLs of the run.', (run) => run, { graph: false }),
  }),
);

/** A single run in REST. */
export const gitRunWithReport = {
  shape: () =>
    shapeOf(gitRun)
      .extend({
        log: z.array(shapeOf(logEntry)).describe(LOG),
        report: z.array(shapeOf(reportEntry)).describe(REPORT),
      })
      .meta({
        id: 'GitRunWithReport',
        description: 'An import from a Git branch or an export to one, with its report.',
      }),
  async present(run: GitRunRow, ctx: Context) {
    const [shown, reported] = await Promise.all([present(gitRun, run, ctx), loadGitReport(ctx, run.id)]);
    return { ...shown, log: reported?.log ?? [], report: reported?.report ?? [] };
  },
};
