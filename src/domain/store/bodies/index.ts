export { documentSource, textSource } from './body-sources.ts';
export { type DocumentInput, documentInput, MAX_BODY_CHARACTERS } from './document-input.ts';
export { hashOfDocument, placesOfDocument } from './document-places.ts';
export { type BodyEdit, type EditedBody, editBody } from './edit-body.ts';
export { MAX_BODY_SIZE } from './limits.ts';
export {
  BODIES_AT_ONCE,
  loadDocument,
  readDocument,
  readDocuments,
  type StoredDocument,
} from './load-document.ts';
export { loadSource, readSources } from './load-source.ts';
export { usesOfDocuments, usesOfWritten } from './load-uses.ts';
export { markBody, markBodyAsMarkdown } from './mark-body.ts';
export { readBody } from './read-body.ts';
export { storeBodyRows, storeDocuments } from './store-documents.ts';
export { storeSourceRows, storeSources } from './store-sources.ts';
export { storedHashes } from './stored-hashes.ts';
export { writeBody } from './write-body.ts';
