import { type Content, contentIn, type RevisionRow } from '../../../store/revisions/index.ts';

/** Whether two revisions have the same content. */
export function hasSameContent(a: RevisionRow, b: RevisionRow): boolean {
  return a.id === b.id || contentKey(contentIn(a)) === contentKey(contentIn(b));
}

/** Equal for equal contents. */
export const contentKey = ({ rootHash, filesHash, reusableContentsHash, variablesHash, tagsHash }: Content) =>
  [rootHash, filesHash, reusableContentsHash, variablesHash, tagsHash].join(' ');
