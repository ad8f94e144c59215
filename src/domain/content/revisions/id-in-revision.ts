import type { Context } from '../../../platform/context/context.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { loadRevision } from './load-revision.ts';

const SEPARATOR = '-at-';

/** The graph's id of a part of a revision, such as a page or a file: `file_…-at-rev_…`. */
export const idInRevision = (id: string, revisionId: string) => `${id}${SEPARATOR}${revisionId}`;

/** The id of the part itself, which is the same in all revisions. */
export const stableIdOf = (id: string): string => id.split(SEPARATOR)[0] ?? id;

/** Finds a part of a revision by the graph's id. Nothing if the caller cannot view the revision. */
export async function findInRevision<Found>(
  ctx: Context,
  id: string,
  find: (revision: RevisionRow, stableId: string) => Promise<Found>,
): Promise<Found | undefined> {
  const [stableId = '', revisionId, ...rest] = id.split(SEPARATOR);
  const revision = revisionId === undefined || rest.length > 0 ? undefined : await loadRevision(ctx, revisionId);
  return revision && find(revision, stableId);
}
