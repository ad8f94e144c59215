import type { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { badInput } from '../../platform/errors.ts';
import { type RestInput, type Route, route } from '../../platform/http/route.ts';
import { getChangeRequest, presentChangeRequest } from '../change-requests/index.ts';
import type { AppliedChange } from './edit-pages.ts';
import { getPage } from './get-page.ts';
import { listPages } from './list-pages.ts';
import type { PageView } from './page-view.ts';
import { type BodyFormat, bodyOf, presentPage, presentPageWithBody } from './present.ts';
import { changesFromRest, presentApplied, presentChange } from './rest-changes.ts';
import { updateChangeRequestContent } from './update-change-request-content.ts';
import { updateSpaceContent } from './update-space-content.ts';

const HEAD = '/v1/spaces/:spaceId/content';
const REVISION = '/v1/spaces/:spaceId/revisions/:revisionId';

const presentPages = async (pages: PageView[], ctx: Context) => ({
  pages: await Promise.all(pages.map((page) => presentPage(page, ctx))),
});

const presentRead = (view: PageView, ctx: Context, { query }: RestInput) => {
  refuseEvaluation(query);
  return presentPageWithBody(view, ctx, formatOf(query));
};

/** One address of a page under the head or a revision, with the member of the input that names the page. */
const pageRoute = (path: string, operationId: string) =>
  route('GET', path, getPage, { operationId, present: presentRead });

export const pageRoutes: Route[] = [
  route('GET', `${HEAD}/pages`, listPages, { operationId: 'listPages', present: presentPages }),
  route('GET', `${REVISION}/pages`, listPages, { operationId: 'listPagesInRevisionById', present: presentPages }),
  pageRoute(`${HEAD}/page/:pageId`, 'getPageById'),
  pageRoute(`${REVISION}/page/:pageId`, 'getPageInRevisionById'),
  pageRoute(`${HEAD}/path/:path`, 'getPageByPath'),
  pageRoute(`${REVISION}/path/:path`, 'getPageInRevisionByPath'),
  route('GET', `${REVISION}/page/:pageId/document`, getPage, {
    operationId: 'getPageDocumentInRevisionById',
    present: async (view: PageView, ctx, { query }) => {
      refuseEvaluation(query);
      return (await bodyOf(view, ctx)).body;
    },
  }),
  route('POST', HEAD, updateSpaceContent, {
    operationId: 'updateSpaceContent',
    toInput: (given) => changesFromRest(given) as z.input<typeof updateSpaceContent.input>, // checked by the operation
    present: presentApplied,
  }),
  route('POST', '/v1/spaces/:spaceId/change-requests/:changeRequestId/content', updateChangeRequestContent, {
    operationId: 'updateChangeRequestContent',
    toInput: (given) => changesFromRest(given) as z.input<typeof updateChangeRequestContent.input>, // checked by the operation
    present: presentChangeRequestUpdate,
  }),
];

/** The change request alone, or with what was done when `compat` is false (decisions 10). */
async function presentChangeRequestUpdate(
  { changeRequestId, spaceId, applied }: { changeRequestId: string; spaceId: string; applied: AppliedChange[] },
  ctx: Context,
  { query }: RestInput,
) {
  const changeRequest = await presentChangeRequest(await getChangeRequest(ctx, { changeRequestId }), ctx);
  if (query.compat !== 'false') return changeRequest;
  return { changeRequest, changes: applied.map((change) => presentChange(spaceId, change, ctx)) };
}

function formatOf(query: RestInput['query']): BodyFormat {
  const format = query.format ?? 'document';
  if (format === 'document' || format === 'markdown') return format;
  throw badInput(['format'], 'must be "document" or "markdown".');
}

/** Bodies are given as they were written; expressions are not evaluated. */
function refuseEvaluation({ evaluated }: RestInput['query']): void {
  if (evaluated === undefined || evaluated === 'false') return;
  throw badInput(['evaluated'], 'must be false: expressions are given as they were written.');
}
