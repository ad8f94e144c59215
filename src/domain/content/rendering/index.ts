export type { Links } from './links-from.ts';
export {
  type BodyQuery,
  bodyQuery,
  documentQuery,
  type ReadingOptions,
  readBodyQuery,
  readDocumentQuery,
} from './reading-query.ts';
export { headOf, type PageInRevision, referencedPages } from './referenced-pages.ts';
export {
  type BodyOf,
  printRendered,
  renderBody,
  renderGiven,
  renderMarkdown,
  type WrittenBody,
} from './render-body.ts';
export { type PageAnchor, shownAnchorIds, withShownAnchors } from './shown-anchors.ts';
export { type WrittenForm, writtenForm } from './written-form.ts';
