import type { JSONDocument } from '../../lib/document/document.ts';
import { isLargerThan } from '../../lib/document/is-larger-than.ts';
import type { Context } from '../../platform/context.ts';
import { Refusal } from '../../platform/errors.ts';
import { ThreadTimeout } from '../../platform/threads/thread-pool.ts';
import type { Links } from './links-from.ts';
import type { work } from './print-body-work.ts';
import { printed } from './printed.ts';

/** Nodes of a body beyond which printing it would hold the event loop for too long. */
const LARGE = 8_000;

const WORK_MS = 30_000;

/** A body as Markdown, with these links. Large ones are printed in another thread. */
export async function printBody({ services }: Context, body: JSONDocument, links: Links): Promise<string> {
  if (!isLargerThan(LARGE, body)) return printed({ body, links });
  const module = new URL('./print-body-work.ts', import.meta.url);
  try {
    return await services.threads.run<typeof work>(module, JSON.stringify({ body, links }), WORK_MS);
  } catch (error) {
    if (!(error instanceof ThreadTimeout)) throw error;
    throw new Refusal(
      'SERVICE_UNAVAILABLE',
      'It takes too long to print a body as large as this; read it as a document.',
    );
  }
}
