import type { Context } from '../../../platform/context/context.ts';
import { type PageView, viewOf } from '../../content/pages/index.ts';
import { findPage } from '../../store/trees/index.ts';
import type { ShownConflict } from './conflicts-of.ts';

/** The page of a conflict about a page: in the primary content or else in the change request or their common ancestor. */
export async function conflictPage(
  ctx: Context,
  { target: { type, id: pageId }, versions: { base, ours, theirs } }: ShownConflict,
): Promise<PageView | null> {
  if (type !== 'page' || pageId === null) return null;
  for (const revision of [theirs, ours, base]) {
    const page = await findPage(ctx, revision, { pageId });
    if (page) return viewOf(page, revision);
  }
  return null;
}
