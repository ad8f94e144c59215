import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { badInput } from '../../platform/errors.ts';
import { type RestInput, type Route, route } from '../../platform/http/route.ts';
import { getPage } from './get-page.ts';
import { listPages } from './list-pages.ts';
import type { PageView } from './page-view.ts';
import { type BodyFormat, bodyOf, presentPage, presentPageWithBody } from './present.ts';
import { documentShape, pageTreeShape, pageWithBodyShape } from './shapes.ts';

const HEAD = '/v1/spaces/:spaceId/content';
const REVISION = '/v1/spaces/:spaceId/revisions/:revisionId';

const presentPages = async (pages: PageView[], ctx: Context) => ({
  pages: await Promise.all(pages.map((page) => presentPage(page, ctx))),
});

const presentRead = (view: PageView, ctx: Context, { query }: RestInput) => {
  checkEvaluation(query);
  return presentPageWithBody(view, ctx, formatOf(query));
};

const unevaluated = {
  evaluated: z.literal(false).optional().describe('Expressions are given as they were written.'),
};

const bodyQuery = z.object({
  format: z.enum(['document', 'markdown']).default('document').describe('The form of the body.'),
  ...unevaluated,
});

/** One address of a page under the head or a revision, with the member of the input that names the page. */
const pageRoute = (path: string, operationId: string) =>
  route('GET', path, getPage, { operationId, shape: pageWithBodyShape, query: bodyQuery, present: presentRead });

export const pageRoutes: Route[] = [
  route('GET', `${HEAD}/pages`, listPages, {
    operationId: 'listPages',
    shape: pageTreeShape,
    present: presentPages,
  }),
  route('GET', `${REVISION}/pages`, listPages, {
    operationId: 'listPagesInRevisionById',
    shape: pageTreeShape,
    present: presentPages,
  }),
  pageRoute(`${HEAD}/page/:pageId`, 'getPageById'),
  pageRoute(`${REVISION}/page/:pageId`, 'getPageInRevisionById'),
  pageRoute(`${HEAD}/path/:path`, 'getPageByPath'),
  pageRoute(`${REVISION}/path/:path`, 'getPageInRevisionByPath'),
  route('GET', `${REVISION}/page/:pageId/document`, getPage, {
    operationId: 'getPageDocumentInRevisionById',
    shape: documentShape,
    query: z.object(unevaluated),
    present: async (view: PageView, ctx, { query }) => {
      checkEvaluation(query);
      return (await bodyOf(view, ctx)).body;
    },
  }),
];

function formatOf(query: RestInput['query']): BodyFormat {
  const format = query.format ?? 'document';
  if (format === 'document' || format === 'markdown') return format;
  throw badInput(['format'], 'must be "document" or "markdown".');
}

/** Expressions that cannot be evaluated stay as they are (decisions 4.2), and as yet none can. */
function checkEvaluation({ evaluated }: RestInput['query']): void {
  if (evaluated === undefined || EVALUATIONS.has(String(evaluated))) return;
  throw badInput(['evaluated'], 'must be true, false or deterministic-only.');
}

const EVALUATIONS = new Set(['true', 'false', 'deterministic-only']);
