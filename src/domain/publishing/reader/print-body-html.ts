import type { JSONDocument } from '../../../lib/document/document.ts';
import { isLargerThan } from '../../../lib/document/size.ts';
import { walk } from '../../../lib/document/walk.ts';
import { type PrintedDocument, printDocument } from '../../../lib/document-html/document-html.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../platform/own-files.ts';
import type { work as printWork, ToPrint } from './print-body-html-work.ts';

/** Number of nodes from which on printing would block the event loop for too long. */
const LARGE_BODY_NODES = 2_000;

const WORK_MS = 12_000;

/** A printed document, and whether its code lacks colors for want of time. */
export type PrintedBody = PrintedDocument & { lacksColors?: true };

/**
 * Prints a document as HTML: in a worker if it is large, or has code or formulas, which take long. If coloring the code
 * takes longer than `colorsMs`, as on a busy machine, it has no colors.
 */
export async function printBodyHtml(
  ctx: Context,
  organizationId: string,
  input: ToPrint,
  { colorsMs = WORK_MS }: { colorsMs?: number } = {},
): Promise<PrintedBody> {
  if (!isLargerThan(LARGE_BODY_NODES, input.document) && !hasSlowParts(input.document)) {
    return printDocument(input.document, input.source);
  }
  try {
    return await printInThread(ctx, organizationId, input, colorsMs);
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
  }
  try {
    return { ...(await printInThread(ctx, organizationId, { ...input, isPlain: true }, WORK_MS)), lacksColors: true };
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw new ApiError('SERVICE_UNAVAILABLE', `This page cannot be shown: ${error.message}.`);
  }
}

function printInThread(
  ctx: Context,
  organizationId: string,
  input: ToPrint,
  limitMs: number,
): Promise<PrintedDocument> {
  const work = {
    module: ownModule('domain/publishing/reader/print-body-html-work.ts'),
    input: JSON.stringify(input),
    limitMs,
  };
  return ctx.services.heavyWork.inWorker<typeof printWork>('print-html', { ctx, organizationId }, work);
}

function hasSlowParts(document: JSONDocument): boolean {
  let isSlow = false;
  walk(document, (node) => {
    if (node.object === 'block')
      isSlow ||= node.type === 'math' || (node.type === 'code' && node.data.syntax !== undefined);
    else if (node.object === 'inline') isSlow ||= node.type === 'inline-math';
  });
  return isSlow;
}
