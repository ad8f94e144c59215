import { z } from 'zod';
import { recordOf } from '../../../lib/is-record.ts';
import type { Context } from '../../../platform/context/context.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import type { RestInput } from '../../../platform/http/route-input.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { cancelImportRun } from './cancel-import-run.ts';
import { getImportRun } from './get-import-run.ts';
import { importChangeRequestContent } from './import-change-request-content.ts';
import { importInput } from './import-input.ts';
import { importSpaceContent } from './import-space-content.ts';
import { listImportRuns } from './list-import-runs.ts';
import { type Imported, importResult, importRun, importRunLocation, importRunWithReport } from './resources.ts';
import { enhance, runTarget, uploadIds, websiteUrl } from './run-input.ts';
import { startImportRun } from './start-import-run.ts';

const IMPORTS = '/v1/org/:organizationId/imports';
const IMPORT = `${IMPORTS}/:importRunId`;

const { spaceId, changeRequestId, pageId } = runTarget.shape;

const startBody = z.object({
  source: z
    .union([
      z.object({ type: z.literal('website').describe('A website.'), url: websiteUrl }),
      z.object({ type: z.literal('file').describe('Uploaded files.'), files: uploadIds }),
    ])
    .describe('Source of the import.'),
  target: z.object({ space: spaceId, changeRequest: changeRequestId, page: pageId }).describe('Target of the import.'),
  site: startImportRun.input.shape.siteId,
  enhance,
});

/**
 * Translates REST's tagged source and its property names. Unknown properties are passed on for the operation to reject.
 */
function toInput({ source, target, site, ...rest }: Record<string, unknown>): z.input<typeof startImportRun.input> {
  const { type, url, files } = recordOf(source);
  const { space, changeRequest, page } = recordOf(target);
  const input = {
    ...rest,
    source: {
      ...(type === 'website' ? { website: { url } } : {}),
      ...(type === 'file' ? { file: { uploadIds: files } } : {}),
    },
    target: { spaceId: space, changeRequestId: changeRequest, pageId: page },
    siteId: site,
  };
  return input as z.input<typeof startImportRun.input>; // checked by the operation
}

const { url, source, dryRun } = importInput;

const imported = {
  body: z.object({ url, source, dryRun }),
  toInput: <Input>(properties: Record<string, unknown>, { prefersAsync }: RestInput) =>
    ({ ...properties, continueAsRun: prefersAsync }) as Input, // checked by the operation
  status: (output: Imported) => (output.importRun ? 202 : output.preview ? 200 : 201),
  statuses: [201, 200, 202],
  response: resourceResponse(importResult),
  headers: ({ spaceId, revisionId, importRun: run, preview }: Imported, ctx: Context) => ({
    ...(!preview && {
      location: run ? importRunLocation(run, ctx) : locationUrl(ctx, `/v1/spaces/${spaceId}/revisions/${revisionId}`),
    }),
  }),
};

export const importRoutes: Route[] = [
  route('POST', '/v1/spaces/:spaceId/content/import', importSpaceContent, {
    operationId: 'importContent',
    ...imported,
  }),
  route('POST', '/v1/spaces/:spaceId/change-requests/:changeRequestId/content/import', importChangeRequestContent, {
    operationId: 'importContentInChangeRequest',
    ...imported,
  }),
];

export const importRunRoutes: Route[] = [
  route('POST', IMPORTS, startImportRun, {
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
    toInput: ({ siteId, ...properties }) => toInput({ ...properties, site: siteId }),
    body: startBody,
    headers: (run, ctx) => ({ location: importRunLocation(run, ctx) }),
    ...importRunWithReport,
  }),
  listRoute(IMPORTS, listImportRuns, {
    operationId: 'listImportRuns',
    rename: { space: 'spaceId', changeRequest: 'changeRequestId', site: 'siteId' },
    response: resourceResponse(importRun),
  }),
  route('GET', IMPORT, getImportRun, {
    operationId: 'getImportRun',
    ...importRunWithReport,
  }),
  route('POST', `${IMPORT}/cancel`, cancelImportRun, {
    operationId: 'cancelImportRun',
    ...importRunWithReport,
  }),
];
