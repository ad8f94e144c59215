import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { outcomeCounts, reportEntry } from '../../content/import-engine/index.ts';
import { loadUser, user } from '../../people/users/index.ts';
import { type GitLogEntry, type GitPreview, type GitPreviewChange, gitDirection } from '../../store/git-sync/index.ts';
import { type GitRunRow, loadGitReport } from './access.ts';
import { gitPreviewEffect, gitPreviewKind, gitRunStatus } from './enums.ts';

const logEntry = resource<GitLogEntry>(
  { name: 'GitLogEntry', description: 'A step of a Git import or export.' },
  (f) => ({
    at: f.time('Time of the step.', ({ at }) => at),
    message: f.string('Description of the step.', ({ message }) => message),
  }),
);

const urls = resource<GitRunRow>({ name: 'GitRunUrls', description: 'URLs of a Git import or export.' }, (f) => ({
  location: f.url('URL of the run in the REST API.', ({ id, spaceId }, ctx) =>
    locationUrl(ctx, `/v1/spaces/${spaceId}/git/runs/${id}`),
  ),
}));

const previewChange = resource<GitPreviewChange>(
  { name: 'GitPreviewChange', description: 'A page or file that a Git import or export would change.' },
  (f) => ({
    kind: f.enum(gitPreviewKind)('Kind of the object.', ({ kind }) => kind),
    change: f.enum(gitPreviewEffect)('Effect on the page or file.', ({ change }) => change),
    path: f.string(
      'Path of the page in the space, name of its file, or path of the file in the branch.',
      ({ path }) => path,
    ),
  }),
);

const gitPreview = resource<GitPreview>(
  { name: 'GitPreview', description: 'Changes that a Git import would make to a space, or an export to a branch.' },
  (f) => ({
    pagesAdded: f.count('Number of pages that the space would get.', (preview) => preview.pagesAdded),
    pagesChanged: f.count('Number of pages that would change.', (preview) => preview.pagesChanged),
    pagesRemoved: f.count('Number of pages that the space would lose.', (preview) => preview.pagesRemoved),
    filesAdded: f.count('Number of files that would be added.', (preview) => preview.filesAdded),
    filesChanged: f.count('Number of files that would change.', (preview) => preview.filesChanged),
    filesRemoved: f.count('Number of files that would be removed.', (preview) => preview.filesRemoved),
    changes: f.list(types.object(() => previewChange))(
      'Pages and files that would change, up to 1,000.',
      ({ changes }) => changes,
    ),
  }),
);

const PREVIEW = 'Changes that the run would make. Null unless the run is a completed dry run.';
const LOG = 'Steps of the run, up to 100.';
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
    isDryRun: f.boolean('Whether the run only computes the changes, without making them.', (run) => run.isDryRun, {
      rest: 'dryRun',
    }),
    connection: f
      .id('gitconnection')
      .optional('ID of the connection that started the run. Null if a user did.', (run) => run.connectionId, {
        graph: false,
      }),
    pullRequestNumber: f.int.optional(
      'Number of the pull request whose commits are imported. Null for other runs.',
      (run) => run.pullNumber,
    ),
    revision: f.id('rev').optional('ID of the revision.', ({ revisionId }) => revisionId, { graph: false }),
    changeRequest: f
      .id('cr')
      .optional('ID of the change request with the conflicts between branch and space.', (run) => run.changeRequestId, {
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
    preview: f
      .object(() => gitPreview)
      .optional(PREVIEW, async ({ id }, ctx) => (await loadGitReport(ctx, id))?.preview ?? null, { rest: false }),
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
        preview: shapeOf(gitPreview).nullable().describe(PREVIEW),
      })
      .meta({
        id: 'GitRunWithReport',
        description: 'An import from a Git branch or an export to one, with its report.',
      }),
  async present(run: GitRunRow, ctx: Context) {
    const [fields, reported] = await Promise.all([present(gitRun, run, ctx), loadGitReport(ctx, run.id)]);
    const preview = reported?.preview ? await present(gitPreview, reported.preview, ctx) : null;
    return { ...fields, log: reported?.log ?? [], report: reported?.report ?? [], preview };
  },
};
