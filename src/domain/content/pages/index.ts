export { type ComputedSource, computedSource } from './computed-source.ts';
export { currentContentOf } from './current-content.ts';
export { currentPage, pageAtPath, pagesIn } from './find-pages.ts';
export { getPage } from './get-page.ts';
export { layoutOf } from './layout.ts';
export { listAllPages } from './list-all-pages.ts';
export { type ContentStep, changedPageIds, changedPages, deletedPageIds, relatedPages } from './page-changes.ts';
export { linkTarget, pageCover, pageLayout, pageMetaLinks, pageVariables } from './page-fields.ts';
export { type PageView, topPages, viewOf, viewOfFound } from './page-view.ts';
export { pageBody, presentPage, presentPages } from './present.ts';
export {
  type ContentReferenceInput,
  contentReferenceInput,
  coverReferenceInput,
  metaLinkReferenceInput,
  referenceOf,
} from './reference-input.ts';
export { pageNode } from './resources.ts';
export { pageShape } from './shapes.ts';
