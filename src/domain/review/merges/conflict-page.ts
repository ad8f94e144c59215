import type { Context } from '../../../platform/context.ts';
import { type PageView, viewOf } from '../../content/pages/index.ts';
import { findPage } from '../../store/trees/index.ts';
import type { ShownConflict } from './conflicts-of.ts';

/** A page that takes part in a conflict: as the primary content has it, or else the change request, or what they began with. */
export async function conflictPage(
  ctx: Context,
  { versions: { base, ours, theirs } }: ShownConflict,
  pageId: string,
): Promise<PageView | null> {
  for (const revision of [theirs, ours, base]) {
    const page = await findPage(ctx, revision, { pageId });
    if (page) return viewOf(page, revision);
  }
  return null;
}
