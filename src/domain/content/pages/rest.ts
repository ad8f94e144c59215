import { publicForm } from '../../../lib/document/public-form.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import type { RestInput } from '../../../platform/http/route-input.ts';
import { documentShape } from '../documents/index.ts';
import { bodyQuery, documentQuery, readBodyQuery, readDocumentQuery, renderBody } from '../rendering/index.ts';
import { getPage } from './get-page.ts';
import { listPages } from './list-pages.ts';
import { metaLinksOf, type PageView } from './page-view.ts';
import { pageBody, presentPages, presentPageWithBody } from './present.ts';
import { metaLinksShape } from './reference-shapes.ts';
import { pageTreeShape, pageWithBodyShape } from './shapes.ts';

const HEAD = '/v1/spaces/:spaceId/content';
const CHANGE_REQUEST = '/v1/spaces/:spaceId/change-requests/:changeRequestId/content';
const REVISION = '/v1/spaces/:spaceId/revisions/:revisionId';

const presentTree = async (pages: PageView[], ctx: Context) => ({ pages: await presentPages(pages, ctx) });

const presentRead = (view: PageView, ctx: Context, { query }: RestInput) =>
  presentPageWithBody(view, ctx, readBodyQuery(query));

/** A route for a page in the head, a change request or a revision, with the parameter that identifies the page. */
const pageRoute = (path: string, operationId: string) =>
  route('GET', path, getPage, { operationId, shape: pageWithBodyShape, query: bodyQuery, present: presentRead });

const metaLinksRoute = (path: string, operationId: string) =>
  route('GET', path, getPage, {
    operationId,
    description: 'Gets the canonical and alternate URLs of a page for search engines.',
    shape: metaLinksShape,
    present: metaLinksOf,
  });

export const pageRoutes: Route[] = [
  route('GET', `${HEAD}/pages`, listPages, {
    operationId: 'listPages',
    shape: pageTreeShape,
    present: presentTree,
  }),
  route('GET', `${CHANGE_REQUEST}/pages`, listPages, {
    operationId: 'listPagesInChangeRequest',
    shape: pageTreeShape,
    present: presentTree,
  }),
  route('GET', `${REVISION}/pages`, listPages, {
    operationId: 'listPagesInRevisionById',
    shape: pageTreeShape,
    present: presentTree,
  }),
  pageRoute(`${HEAD}/page/:pageId`, 'getPageById'),
  pageRoute(`${CHANGE_REQUEST}/page/:pageId`, 'getPageInChangeRequestById'),
  pageRoute(`${REVISION}/page/:pageId`, 'getPageInRevisionById'),
  pageRoute(`${HEAD}/path/:path`, 'getPageByPath'),
  pageRoute(`${CHANGE_REQUEST}/path/:path`, 'getPageInChangeRequestByPath'),
  pageRoute(`${REVISION}/path/:path`, 'getPageInRevisionByPath'),
  metaLinksRoute(`${HEAD}/page/:pageId/meta-links`, 'listSpacePageMetaLinks'),
  metaLinksRoute(`${CHANGE_REQUEST}/page/:pageId/meta-links`, 'listChangeRequestPageMetaLinks'),
  metaLinksRoute(`${REVISION}/page/:pageId/meta-links`, 'listRevisionPageMetaLinks'),
  route('GET', `${REVISION}/page/:pageId/document`, getPage, {
    operationId: 'getPageDocumentInRevisionById',
    description: 'Gets the body of a page of a revision as a document.',
    shape: documentShape,
    query: documentQuery,
    present: async (view: PageView, ctx, { query }) =>
      publicForm(await renderBody(ctx, pageBody(view), readDocumentQuery(query))),
  }),
];
