import { hash } from 'node:crypto';

/** Version of the rules that turn text into terms. When it increases, `tidySearchIndex` indexes all pages again. */
export const INDEX_VERSION = 3;

/** Values that the entry of a page depends on, besides the sections of its document. */
export interface Indexed {
  title: string;
  description: string | null;
  documentHash: string | null;
}

/** Hash of an entry in hexadecimal. */
export const entryHash = (spaceId: string, { title, description, documentHash }: Indexed) =>
  hash('sha256', JSON.stringify([INDEX_VERSION, spaceId, title, description, documentHash]), 'hex');
