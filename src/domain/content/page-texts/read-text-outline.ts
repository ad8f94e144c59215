import { LRUCache } from 'lru-cache';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { outlineText, type TextOutline } from '../../../lib/document/markdown/edit/outline-text.ts';
import { isLargerThan } from '../../../lib/document/size.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../platform/own-files.ts';
import type { work } from './outline-work.ts';

/** Sizes from which on reading a text would block the event loop for too long. */
const LARGE_TEXT = 5_000;
const LARGE_DOCUMENT = 2_000;

const WORK_MS = 20_000;

/** Outlines by document and text, which are read before an edit and again by it. */
const outlineCache = new LRUCache<string, TextOutline>({
  maxSize: 200_000,
  sizeCalculation: ({ blocks, headings }) => blocks.length + headings.length + 1,
});

/** A body with its Markdown. */
export interface OutlinedText {
  organizationId: string;
  /** Identifies the body and its text. The outline is not remembered without it. */
  key?: string;
  text: string;
  document: JSONDocument;
}

/** The outline of a text. Large texts are read in a worker. */
export async function readTextOutline(
  ctx: Context,
  { organizationId, key, text, document }: OutlinedText,
): Promise<TextOutline> {
  if (key === undefined) return readOutline(ctx, organizationId, text, document);
  const cacheKey = `${organizationId}/${key}`;
  const outline = outlineCache.get(cacheKey) ?? (await readOutline(ctx, organizationId, text, document));
  outlineCache.set(cacheKey, outline);
  return outline;
}

async function readOutline(ctx: Context, organizationId: string, text: string, document: JSONDocument) {
  if (text.length <= LARGE_TEXT && !isLargerThan(LARGE_DOCUMENT, document)) return outlineText(text, document);
  const module = ownModule('domain/content/page-texts/outline-work.ts');
  try {
    const task = { module, input: JSON.stringify({ text, document }), limitMs: WORK_MS };
    return await ctx.services.heavyWork.inWorker<typeof work>('print-body', { ctx, organizationId }, task);
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      `This body has no outline: ${error.message}. Read it as Markdown instead.`,
    );
  }
}
