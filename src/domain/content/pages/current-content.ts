import type { Context } from '../../../platform/context/context.ts';
import { prefixOf } from '../../../platform/ids/ids.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { loadChangeRequest } from '../change-requests/index.ts';
import type { ReadRevision } from '../computed-sources/index.ts';
import { loadRevision } from '../revisions/index.ts';

const SEPARATOR = '-in-';

/**
 * The graph's id of a page in the current content of a space or change request: `page_…-in-space_…` or
 * `page_…-in-cr_…`. A space and its duplicate have pages with the same `pageId`, so `pageId` is not enough to identify
 * a page.
 */
export const idInCurrentContent = (pageId: string, ownerId: string) => `${pageId}${SEPARATOR}${ownerId}`;

/** The parts of such an id. The owner is undefined if it is another kind of id. */
export function partsOfId(id: string): { pageId: string; ownerId: string | undefined } {
  const [pageId = '', ownerId, ...rest] = id.split(SEPARATOR);
  return { pageId, ownerId: rest.length === 0 ? ownerId : undefined };
}

/**
 * The current revision of a space or change request, read as its current content. Undefined if there is none or the
 * caller cannot read it.
 */
export async function currentContentOf(ctx: Context, ownerId: string): Promise<ReadRevision | undefined> {
  const owner = await ownerOf(ctx, ownerId);
  const revision = owner && (await loadRevision(ctx, owner.revisionId));
  return revision ? { ...revision, currentOf: ownerId } : undefined;
}

async function ownerOf(ctx: Context, id: string): Promise<{ revisionId: string } | null | undefined> {
  const prefix = prefixOf(id);
  if (prefix === 'space') return loadSpace(ctx, id);
  return prefix === 'cr' ? loadChangeRequest(ctx, id) : undefined;
}
