import type { JSONDocument } from '../../../lib/document/document.ts';
import { isLargerThan } from '../../../lib/document/is-larger-than.ts';
import type { Context } from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import type { Links } from './links-from.ts';
import type { work } from './print-body-work.ts';
import { printed } from './printed.ts';

/** Number of nodes from which on printing would block the event loop for too long. */
const LARGE = 8_000;

const WORK_MS = 30_000;

/** Prints a body as Markdown with these links. Large bodies are printed in a thread. */
export async function printBody(
  ctx: Context,
  organizationId: string,
  body: JSONDocument,
  links: Links,
): Promise<string> {
  if (!isLargerThan(LARGE, body)) return printed({ body, links });
  const module = new URL('./print-body-work.ts', import.meta.url);
  try {
    const given = { module, input: JSON.stringify({ body, links }), limitMs: WORK_MS };
    return await ctx.services.heavyWork.inThread<typeof work>('print-body', { ctx, organizationId }, given);
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      `This body cannot be printed: ${error.message}. Read it as a document instead.`,
    );
  }
}
