import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { types } from '../../../platform/resource/field-types.ts';
import type { FieldMaker, FieldOptions } from '../../../platform/resource/make-fields.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { loadUser, user } from '../../people/users/index.ts';
import { type ContentPreview, contentPreview } from '../dry-runs/index.ts';
import { type ImportReport, outcomeCounts, reportEntry } from '../import-engine/index.ts';
import { type ImportRunRow, loadImportReport } from './access.ts';
import type { RunSource } from './entity.ts';
import { importRunSourceType, importRunStatus } from './enums.ts';
import { seesSite } from './sees-site.ts';

export const importRunLocation = ({ id, organizationId }: ImportRunRow, ctx: Context) =>
  locationUrl(ctx, `/v1/org/${organizationId}/imports/${id}`);

const UPLOAD_IDS = 'IDs of the uploads, in the order in which they are read.';

const source = resource<RunSource>(
  { name: 'ImportRunSource', description: 'The website or the files that an import run reads.' },
  (f) => ({
    type: f.enum(importRunSourceType)('Type of the source.', ({ type }) => type),
    url: f.url.optional('URL of the website or of a public file. Null for uploads.', ({ url }) => url ?? null),
    uploadIds: f.apart({
      graph: f.list(types.id('upload'))(`${UPLOAD_IDS} Empty for a website and for a public file.`, (runSource) =>
        runSource.type === 'file' ? runSource.files : [],
      ),
      rest: f
        .list(types.id('upload'))
        .optional(UPLOAD_IDS, (runSource) => (runSource.type === 'file' ? runSource.files : null), { rest: 'files' }),
    }),
  }),
);

const PARENT_PAGE =
  'ID of the page below which the imported pages are placed. Null if they are placed at the top level.';

const target = resource<ImportRunRow>({ name: 'ImportRunTarget', description: 'Target of an import run.' }, (f) => ({
  space: f.id('space')('ID of the space.', ({ spaceId }) => spaceId),
  changeRequest: f
    .id('cr')
    .optional(
      'ID of the change request. Null if the target is the primary content of the space.',
      ({ changeRequestId }) => changeRequestId,
    ),
  page: f.id('page').optional(PARENT_PAGE, ({ pageId }) => pageId),
}));

const progressCounts = (f: FieldMaker<ImportRunRow>, options?: FieldOptions) => ({
  pagesFound: f.count('Number of pages found so far.', (run) => run.pagesFound, options),
  pagesRead: f.count('Number of pages read so far.', (run) => run.pagesRead, options),
  pagesWritten: f.count(
    'Number of pages written. 0 until the import run is completed.',
    (run) => run.pagesWritten,
    options,
  ),
  filesWritten: f.count(
    'Number of files written. 0 until the import run is completed.',
    (run) => run.filesWritten,
    options,
  ),
});

const progress = resource<ImportRunRow>(
  { name: 'ImportRunProgress', description: 'Progress of an import run.' },
  progressCounts,
);

const urls = resource<ImportRunRow>({ name: 'ImportRunUrls', description: 'URLs of an import run.' }, (f) => ({
  location: f.url('URL of the import run in the REST API.', importRunLocation),
}));

const REPORT =
  'Parts of the source that could not be imported unchanged, up to 1,000 entries. Empty until the import run is completed.';

export const importRun = resource<ImportRunRow>(
  { name: 'ImportRun', object: 'import-run', node: 'import', description: 'An import that runs in the background.' },
  (f) => ({
    status: f.enum(importRunStatus)('Status of the import run.', ({ status }) => status),
    reason: f.string.optional('Reason for the failure. Null unless the import run failed.', ({ reason }) => reason),
    source: f.object(() => source)('Source of the import.', (run) => run.source),
    target: f.object(() => target)('Target of the import.', (run) => run, { graph: false }),
    pageId: f.id('page').optional(PARENT_PAGE, ({ pageId }) => pageId, { rest: false }),
    siteId: f
      .id('site')
      .optional(
        'ID of the site that the import is for, if any. Null if you cannot see the site.',
        async ({ siteId }, ctx) => (siteId !== null && (await seesSite(ctx, siteId)) ? siteId : null),
        { rest: 'site' },
      ),
    createdBy: f.reference(() => user, 'User who started the import run.', {
      prefix: 'user',
      isRequired: true,
      id: ({ createdBy }) => createdBy,
      load: ({ createdBy }, ctx) => loadUser(ctx, createdBy),
    }),
    createdAt: f.time('Time when the import run was created.', ({ createdAt }) => createdAt),
    updatedAt: f.time('Time when the progress or the status was last updated.', ({ updatedAt }) => updatedAt),
    startedAt: f.time.optional(
      'Time when the import run started. Null if it has not started.',
      ({ startedAt }) => startedAt,
    ),
    completedAt: f.time.optional(
      'Time when the import run was completed, failed or was cancelled. Null until then.',
      ({ completedAt }) => completedAt,
    ),
    revision: f.id('rev').optional('ID of the new revision.', ({ revisionId }) => revisionId, { graph: false }),
    ...progressCounts(f, { rest: false }),
    progress: f.object(() => progress)('Progress, updated every second.', (run) => run, { graph: false }),
    ...outcomeCounts(f),
    // Too long for lists in REST; `ImportRunWithReport` has it.
    report: f.list(types.object(() => reportEntry))(
      REPORT,
      async ({ id }, ctx) => (await loadImportReport(ctx, id))?.report ?? [],
      { rest: false },
    ),
    urls: f.object(() => urls)('URLs of the import run.', (run) => run, { graph: false }),
  }),
);

/** A single import run in REST. */
export const importRunWithReport = {
  shape: () =>
    shapeOf(importRun)
      .extend({ report: z.array(shapeOf(reportEntry)).optional().describe(REPORT) })
      .meta({ id: 'ImportRunWithReport', description: 'An import that runs in the background, with its report.' }),
  async present(run: ImportRunRow, ctx: Context) {
    const [presented, reported] = await Promise.all([present(importRun, run, ctx), loadImportReport(ctx, run.id)]);
    return { ...presented, ...(reported?.report && { report: reported.report }) };
  },
};

/** The output of an import within a request: a revision, or the import run as which the import continues. */
export type Imported = ImportReport & {
  spaceId: string;
  revisionId: string | null;
  importRun: ImportRunRow | null;
  /** What the import would change, if it was only tried. */
  preview?: ContentPreview;
};

const WHEN_CONTINUED = 'until the import run is completed, if the import continues in the background';

/** The body of the response in REST, the payload of the mutations in the graph. */
export const importResult = resource<Imported>({ name: 'ImportResult', description: 'Result of an import.' }, (f) => ({
  revision: f
    .id('rev')
    .optional(
      `ID of the new revision, or with \`dryRun\` of the current one. None ${WHEN_CONTINUED}.`,
      ({ revisionId }) => revisionId,
      { graph: false },
    ),
  importRun: f
    .object(() => importRun)
    .optional(
      'The import run that continues the import in the background. Null if the import is completed.',
      (imported) => imported.importRun,
    ),
  importedResources: f.count(
    `Number of pages and files that were imported. 0 ${WHEN_CONTINUED}.`,
    (row) => row.importedResources,
  ),
  totalResources: f.count(
    `Number of pages in the source, and of files that they use. 0 ${WHEN_CONTINUED}.`,
    (row) => row.totalResources,
  ),
  ...outcomeCounts(f),
  report: f.list(types.object(() => reportEntry))(
    'Parts of the source that could not be imported unchanged, up to 1,000 entries.',
    ({ report }) => report,
  ),
  preview: f
    .object(() => contentPreview)
    .optional(
      'Changes that the import would make. Only with `dryRun`: then nothing is changed.',
      ({ preview }) => preview,
    ),
}));
