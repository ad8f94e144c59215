import type { Context } from '../../../platform/context/context.ts';
import { currentPage, type PageView } from '../../content/pages/index.ts';
import type { CommentRow } from './columns.ts';

/** The page that a comment refers to, in the current content. Batched. Null if the page was deleted. */
export const targetPage = async (
  ctx: Context,
  { pageId, spaceId, changeRequestId }: CommentRow,
): Promise<PageView | null> => (pageId === null ? null : currentPage(ctx, changeRequestId ?? spaceId, pageId));
