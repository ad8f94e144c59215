import type { JSONDocument } from '../../../lib/document/document.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../platform/own-files.ts';
import { type PreparedDocument, prepareReplacement, type ValidatedBody } from '../prepared-bodies/index.ts';
import { isSmallBody, WORK_MS } from './limits.ts';
import type { work } from './write-body-work.ts';

/**
 * Prepares a body to be stored in place of another one. A body in Markdown takes over the keys of unchanged blocks.
 * Large bodies are prepared in a worker.
 */
export async function writeBody(
  ctx: Context,
  organizationId: string,
  previous: JSONDocument | undefined,
  { body, isMarkdown, derived }: ValidatedBody,
): Promise<PreparedDocument> {
  const over = isMarkdown ? previous : undefined;
  if (derived?.body === body && over === undefined) return derived;
  const read = { body, isMarkdown };
  if (isSmallBody(body) && (over === undefined || isSmallBody(over))) return prepareReplacement(over, read);
  const module = ownModule('domain/store/bodies/write-body-work.ts');
  const task = { module, input: { previous: over, read }, limitMs: WORK_MS };
  try {
    return await ctx.services.heavyWork.inWorker<typeof work>('write-body', { ctx, organizationId }, task);
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw badInput([], `A body cannot be stored: ${error.message}. Split it into several pages.`);
  }
}
