export { type DocumentInput, documentInput } from './document-input.ts';
export { documentSource } from './document-source.ts';
export { findDocument } from './find-document.ts';
export { loadDocument, type StoredDocument } from './load-document.ts';
export { markBody, markBodyAsMarkdown } from './mark-body.ts';
export { derive, type PreparedDocument, type ReadBody, seededKeys } from './prepare-document.ts';
export { readBody } from './read-body.ts';
export { storeDocuments } from './store-documents.ts';
export { writeBody } from './write-body.ts';
