import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { findReadPages } from '../computed-sources/index.ts';
import { loadRevision } from '../revisions/index.ts';

/** A page in a revision. */
export interface PageInRevision {
  revision: Pick<RevisionRow, 'id' | 'organizationId'>;
  page: LoadedPage;
}

/** Names a page of a space, or of the revision that contains the reference. */
export interface PageReference {
  page: string;
  space?: string;
}

/**
 * The pages that references in a revision lead to, as the caller reads them. A body can have thousands of references,
 * so that each space is read once, and those of several spaces with the same statements.
 */
export async function referencedPages(
  ctx: Context,
  revision: RevisionRow,
  references: readonly PageReference[],
): Promise<(reference: PageReference) => PageInRevision | undefined> {
  const spaceOf = ({ space }: PageReference) => space ?? revision.spaceId;
  const read = async ([spaceId, same]: [string, PageReference[]]) => {
    const own = spaceId === revision.spaceId ? revision : await headOf(ctx, spaceId);
    const pages = own && (await findReadPages(ctx, own, [...new Set(same.map(({ page }) => page))]));
    return [spaceId, { revision: own, pages }] as const;
  };
  const spaces = new Map(await Promise.all([...Map.groupBy(references, spaceOf)].map(read)));
  return (reference) => {
    const space = spaces.get(spaceOf(reference));
    const page = space?.pages?.get(reference.page)?.page;
    return space?.revision && page && { revision: space.revision, page };
  };
}

/** The current content of a space. Undefined if the caller cannot view the space. */
export async function headOf(ctx: Context, spaceId: string): Promise<RevisionRow | undefined> {
  const space = await loadSpace(ctx, spaceId);
  return space && loadRevision(ctx, space.revisionId);
}
