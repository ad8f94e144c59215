import type { Context } from '../../../platform/context.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { findPage } from '../../store/trees/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { type PageView, viewOf } from './page-view.ts';

/**
 * A page of a space's primary content by its stable id, batched. Null if it does not exist or the caller cannot view
 * it.
 */
export async function pageInHead(ctx: Context, spaceId: string, pageId: string): Promise<PageView | null> {
  const space = await loadSpace(ctx, spaceId);
  const revision = space && (await loadRevision(ctx, space.revisionId));
  const page = revision && (await findPage(ctx, revision, { pageId }));
  return page ? viewOf(page, revision) : null;
}
