import type { ContentRef } from './content-ref.ts';
import type { JSONDocument } from './document.ts';
import { mapReferences } from './references.ts';

/**
 * Rewrites a document of one space for use in another: references within the space get its id. Anchors in the document
 * itself stay, because they move with it.
 */
export const qualifyReferences = (document: JSONDocument, space: string): JSONDocument =>
  mapReferences(document, (ref) => (isLocal(ref) ? { ...ref, space } : ref));

function isLocal(ref: ContentRef): boolean {
  switch (ref.kind) {
    case 'page':
    case 'file':
    case 'reusable-content':
    case 'tag':
      return ref.space === undefined;
    case 'anchor':
      return ref.space === undefined && ref.page !== undefined;
    default:
      return false;
  }
}
