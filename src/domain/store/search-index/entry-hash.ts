import { hash } from 'node:crypto';
import { INDEX_VERSION } from './index-version.ts';

/** Values that the entry of a page depends on, besides the sections of its document. */
export interface Indexed {
  title: string;
  description: string | null;
  documentHash: string | null;
}

/** Hash of an entry in hexadecimal. */
export const entryHash = (spaceId: string, { title, description, documentHash }: Indexed) =>
  hash('sha256', JSON.stringify([INDEX_VERSION, spaceId, title, description, documentHash]), 'hex');
