export { type DocumentInput, documentInput } from './document-input.ts';
export { documentSource } from './document-source.ts';
export { findDocument } from './find-document.ts';
export { loadDocument, type StoredDocument } from './load-document.ts';
export { derive, type PreparedDocument, type ReadBody, readBody, seededKeys, writeOver } from './prepare-document.ts';
export { storeDocuments } from './store-documents.ts';
