export { type BodyQuery, bodyQuery, documentQuery, type Reading, readBodyQuery, readDocumentQuery } from './reading.ts';
export { scopeOf } from './scope.ts';
export { seenBody } from './seen-body.ts';
export { type BodyOf, showBody, showMarkdown } from './show-body.ts';
