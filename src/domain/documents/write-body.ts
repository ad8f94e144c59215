import type { JSONDocument } from '../../lib/document/document.ts';
import { isWithin, sizeOf } from '../../lib/document/size.ts';
import type { Context } from '../../platform/context.ts';
import { SMALL, WORK_MS } from './limits.ts';
import { type PreparedDocument, type ReadBody, writeOver } from './prepare-document.ts';
import type { work } from './write-body-work.ts';

/**
 * A read body, ready to be stored in the place of another: what was written in Markdown takes the keys of blocks that it
 * leaves alone. Large ones are made ready in another thread.
 */
export async function writeBody(
  ctx: Context,
  previous: JSONDocument | undefined,
  { body, isMarkdown, derived }: ReadBody,
): Promise<PreparedDocument> {
  const over = isMarkdown ? previous : undefined;
  if (derived?.body === body && over === undefined) return derived;
  const read = { body, isMarkdown };
  if (isSmall(body) && (over === undefined || isSmall(over))) return writeOver(over, read);
  const module = new URL('./write-body-work.ts', import.meta.url);
  return ctx.services.threads.run<typeof work>(module, { previous: over, read }, WORK_MS);
}

const isSmall = (body: JSONDocument) => isWithin(sizeOf(body, SMALL), SMALL);
