export { type DocumentInput, documentInput } from './document-input.ts';
export { loadDocument, type StoredDocument } from './load-document.ts';
export { derive, type PreparedDocument, prepareDocument, seededKeys } from './prepare-document.ts';
export { storeDocuments } from './store-documents.ts';
