import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { addressIn, countIn, idIn, namedShape, objectIs, timeIn } from '../../../platform/shapes.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { reportMembers } from '../imports/index.ts';
import { type ImportRunRow, loadImportReport } from './access.ts';
import { importRunStatus } from './enums.ts';

export const importRunLocation = ({ id, organizationId }: ImportRunRow, ctx: Context) =>
  locationUrl(ctx, `/v1/org/${organizationId}/imports/${id}`);

const unlessNull = <Name extends string>(name: Name, value: string | null) => (value === null ? {} : { [name]: value });

/** A run as lists show it. */
export const presentImportRun = (run: ImportRunRow, ctx: Context) => ({
  object: 'import-run',
  id: run.id,
  status: run.status,
  ...unlessNull('reason', run.reason),
  source: run.source,
  target: {
    space: run.spaceId,
    ...unlessNull('changeRequest', run.changeRequestId),
    ...unlessNull('page', run.pageId),
  },
  ...unlessNull('site', run.siteId),
  createdBy: run.createdBy,
  createdAt: run.createdAt,
  updatedAt: run.updatedAt,
  ...unlessNull('startedAt', run.startedAt),
  ...unlessNull('completedAt', run.completedAt),
  ...unlessNull('revision', run.revisionId),
  progress: {
    pagesFound: run.pagesFound,
    pagesRead: run.pagesRead,
    pagesWritten: run.pagesWritten,
    filesWritten: run.filesWritten,
  },
  keptCount: run.keptCount,
  changedCount: run.changedCount,
  droppedCount: run.droppedCount,
  urls: { location: importRunLocation(run, ctx) },
});

/** The same with its report, once there is one. */
export async function presentImportRunWhole(run: ImportRunRow, ctx: Context) {
  const report = (await loadImportReport(ctx, run.id))?.report;
  return { ...presentImportRun(run, ctx), ...(report ? { report } : {}) };
}

const { report, ...counts } = reportMembers;

const members = {
  object: objectIs('import-run'),
  id: idIn('import'),
  status: importRunStatus.describe('How far it is.'),
  reason: z.string().optional().describe('Why it failed.'),
  source: z
    .union([
      z.object({ type: z.literal('website').describe('A site.'), url: addressIn('Its address.') }),
      z.object({
        type: z.literal('file').describe('Uploads.'),
        files: z.array(z.string().describe('The id of an upload.')).describe('In the order in which they are read.'),
      }),
    ])
    .describe('What it reads.'),
  target: z
    .object({
      space: idIn('space', 'The space.'),
      changeRequest: idIn('cr', 'The change request, if it goes into one.').optional(),
      page: idIn('page', 'The page that the imported ones go below.').optional(),
    })
    .describe('Where it goes.'),
  site: idIn('site', 'The site that it is for.').optional(),
  createdBy: idIn('user', 'Who started it.'),
  createdAt: timeIn('When it was started.'),
  updatedAt: timeIn('When it last went on.'),
  startedAt: timeIn('When its turn came.').optional(),
  completedAt: timeIn('When it ended, in whatever way.').optional(),
  revision: idIn('rev', 'The revision that it wrote.').optional(),
  progress: z
    .object({
      pagesFound: countIn('Pages that were found so far.'),
      pagesRead: countIn('Pages that were read so far.'),
      pagesWritten: countIn('Pages that were written: all, once it is completed.'),
      filesWritten: countIn('Files that were written.'),
    })
    .describe('How far it is; written down every second.'),
  ...counts,
  urls: z.object({ location: addressIn('Where it is in REST.') }).describe('Addresses.'),
};

export const importRunShape = namedShape('ImportRun', 'An import in the background.', members);

export const importRunWholeShape = namedShape('ImportRunWithReport', 'An import in the background, with its report.', {
  ...members,
  report: report.optional(),
});
