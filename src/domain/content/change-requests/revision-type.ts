import type { Context } from '../../../platform/context/context.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { loadChangeRequest } from './load.ts';

/**
 * How a revision was created, as clients of REST read it: a merge always has its change request, so that a merge whose
 * change request the caller cannot see is an edit.
 */
export async function shownRevisionType(
  ctx: Context,
  { type, mergedFromId }: RevisionRow,
): Promise<RevisionRow['type']> {
  if (type !== 'merge') return type;
  const isShown = mergedFromId !== null && (await loadChangeRequest(ctx, mergedFromId)) !== undefined;
  return isShown ? type : 'edits';
}
