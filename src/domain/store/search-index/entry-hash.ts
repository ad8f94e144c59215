import { hash } from 'node:crypto';

/** Version of the rules that turn text into terms. When it increases, all entries are computed again. */
const TERMS_VERSION = 3;

/**
 * Increase it to have `tidySearchIndex` index all pages again; existing entries are reused. The 1 repairs spaces that
 * were duplicated under version 3, whose pages lost their entries when the original was transferred.
 */
export const INDEX_VERSION = TERMS_VERSION + 1;

/** Values that the entry of a page depends on, besides the sections of its document. */
export interface Indexed {
  title: string;
  description: string | null;
  documentHash: string | null;
}

/** Hash of an entry in hexadecimal. */
export const entryHash = (spaceId: string, { title, description, documentHash }: Indexed) =>
  hash('sha256', JSON.stringify([TERMS_VERSION, spaceId, title, description, documentHash]), 'hex');
