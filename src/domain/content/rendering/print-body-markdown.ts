import { isLargerThan } from '../../../lib/document/size.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../platform/own-files.ts';
import type { work as printWork } from './print-body-markdown-work.ts';
import { type BodyWithLinks, printWithLinks } from './print-with-links.ts';

/** Number of nodes from which on printing would block the event loop for too long. */
const LARGE_BODY_NODES = 8_000;

const WORK_MS = 30_000;

/** Number of characters from which on patching would, which parses the text and the result. */
const LARGE_SOURCE = 5_000;

/** Prints a body as Markdown. Large bodies are printed in a worker. */
export async function printBodyMarkdown(ctx: Context, organizationId: string, content: BodyWithLinks): Promise<string> {
  if (!isLarge(content)) return printWithLinks(content);
  const module = ownModule('domain/content/rendering/print-body-markdown-work.ts');
  try {
    const work = { module, input: JSON.stringify(content), limitMs: WORK_MS };
    return await ctx.services.heavyWork.inWorker<typeof printWork>('print-body', { ctx, organizationId }, work);
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      `This body cannot be printed: ${error.message}. Read it as a document instead.`,
    );
  }
}

const isLarge = ({ body, source }: BodyWithLinks): boolean =>
  source === undefined
    ? isLargerThan(LARGE_BODY_NODES, body)
    : source.body.length > LARGE_SOURCE || isLargerThan(LARGE_BODY_NODES / 4, body);
