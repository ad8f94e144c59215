export type { Links } from './links-from.ts';
export { type BodyQuery, bodyQuery, documentQuery, type Reading, readBodyQuery, readDocumentQuery } from './reading.ts';
export {
  type BodyOf,
  printRendered,
  renderBody,
  renderGiven,
  renderMarkdown,
  type WrittenBody,
} from './render-body.ts';
export { anchorIdsOfPage, withShownAnchors } from './shown-anchors.ts';
export { type WrittenForm, writtenForm } from './written-form.ts';
