export { type BodyQuery, bodyQuery, documentQuery, type Reading, readBodyQuery, readDocumentQuery } from './reading.ts';
export { type BodyOf, showBody, showMarkdown } from './show-body.ts';
