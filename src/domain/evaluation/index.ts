export {
  type BodyQuery,
  bodyQuery,
  documentQuery,
  type Reading,
  readBodyQuery,
  readDocumentQuery,
  VERBATIM,
} from './reading.ts';
export { scopeOf, type Variables } from './scope.ts';
export { type BodyOf, showBody, showMarkdown } from './show-body.ts';
