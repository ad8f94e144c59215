import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { type ExecutableDocument, type InvalidDocument, prepareDocument } from './prepare-document.ts';

/** Size of the cache in characters of documents. A compiled document takes about 150 bytes of memory per character. */
const MAX_SIZE = 400_000;
/** Fixed size of a document in the cache, in characters. */
const DOCUMENT_SIZE = 100;
/** Size of a compiled field, in characters. */
const FIELD_SIZE = 5;
/** Longer documents are not cached, since repeated documents are usually short. */
const MAX_CACHED_CHARACTERS = 16_384;

/**
 * Prepared documents by their text, bounded by the memory that they take. Yoga's caches are bounded by the number of
 * documents, 1,024 of up to 200,000 characters each, and keep neither costs nor compiled operations.
 */
export class DocumentCache {
  readonly #schema: GraphQLSchema;
  readonly #documents = new LRUCache<string, ExecutableDocument | InvalidDocument>({
    maxSize: MAX_SIZE,
    sizeCalculation: (document, text) =>
      text.length + DOCUMENT_SIZE + ('errors' in document ? 0 : document.compiledFields * FIELD_SIZE),
  });

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Returns the prepared document, or its errors, which are cached so that repeating an invalid document is cheap. */
  prepare(text: string): ExecutableDocument | InvalidDocument {
    const cached = this.#documents.get(text);
    if (cached) return cached;
    const document = prepareDocument(this.#schema, text);
    if (text.length <= MAX_CACHED_CHARACTERS) this.#documents.set(text, document);
    return document;
  }
}
