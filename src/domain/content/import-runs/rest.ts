import { z } from 'zod';
import { listRoute, type Route, route } from '../../../platform/http/route.ts';
import { cancelImportRun } from './cancel-import-run.ts';
import { getImportRun } from './get-import-run.ts';
import { listImportRuns } from './list-import-runs.ts';
import {
  importRunLocation,
  importRunShape,
  importRunWholeShape,
  presentImportRun,
  presentImportRunWhole,
} from './present.ts';
import { enhance, runTarget, uploadIds, websiteUrl } from './run-input.ts';
import { startImportRun } from './start-import-run.ts';

const ALL = '/v1/org/:organizationId/imports';
const ONE = `${ALL}/:importRunId`;

const { spaceId, changeRequestId, pageId } = runTarget.shape;

const startBody = z.object({
  source: z
    .union([
      z.object({ type: z.literal('website').describe('A site.'), url: websiteUrl }),
      z.object({ type: z.literal('file').describe('Uploads.'), files: uploadIds }),
    ])
    .describe('What it reads.'),
  target: z.object({ space: spaceId, changeRequest: changeRequestId, page: pageId }).describe('Where it goes.'),
  site: startImportRun.input.shape.siteId,
  enhance,
});

/** REST's tagged source and pointers; what is of no known form goes on as it is and is refused there. */
function toInput({ source, target, site, ...given }: Record<string, unknown>): z.input<typeof startImportRun.input> {
  const { type, url, files } = membersOf(source);
  const { space, changeRequest, page } = membersOf(target);
  const wanted = {
    ...given,
    source: {
      ...(type === 'website' ? { website: { url } } : {}),
      ...(type === 'file' ? { file: { uploadIds: files } } : {}),
    },
    target: { spaceId: space, changeRequestId: changeRequest, pageId: page },
    siteId: site,
  };
  return wanted as z.input<typeof startImportRun.input>; // checked by the operation
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}; // any object has such members

export const importRunRoutes: Route[] = [
  route('POST', ALL, startImportRun, {
    operationId: 'startImportRun',
    status: 201,
    rename: { site: 'siteId' },
    issueInRest: ({ path: [first, kind, ...rest], message }) => {
      const isOfSource = first === 'source' && (kind === 'website' || kind === 'file');
      return isOfSource
        ? { path: [first, ...rest.map((part) => (part === 'uploadIds' ? 'files' : part))], message }
        : undefined;
    },
    renameInside: { space: 'spaceId', changeRequest: 'changeRequestId', page: 'pageId', files: 'uploadIds' },
    toInput: ({ siteId, ...given }) => toInput({ ...given, site: siteId }),
    body: startBody,
    headers: (run, ctx) => ({ location: importRunLocation(run, ctx) }),
    shape: importRunWholeShape,
    present: presentImportRunWhole,
  }),
  listRoute(ALL, listImportRuns, {
    operationId: 'listImportRuns',
    rename: { space: 'spaceId', changeRequest: 'changeRequestId', site: 'siteId' },
    shape: importRunShape,
    present: presentImportRun,
  }),
  route('GET', ONE, getImportRun, {
    operationId: 'getImportRun',
    shape: importRunWholeShape,
    present: presentImportRunWhole,
  }),
  route('POST', `${ONE}/cancel`, cancelImportRun, {
    operationId: 'cancelImportRun',
    shape: importRunWholeShape,
    present: presentImportRunWhole,
  }),
];
