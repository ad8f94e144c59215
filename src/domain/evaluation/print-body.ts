import type { JSONDocument } from '../../lib/document/document.ts';
import { isLargerThan } from '../../lib/document/is-larger-than.ts';
import { runThread } from '../../platform/thread.ts';
import type { Links } from './links-from.ts';
import { printed } from './printed.ts';

/** Nodes of a body beyond which printing it would hold the event loop for too long. */
const LARGE = 8_000;

/** Threads that print at one time; more bodies wait for them. */
const MAX_THREADS = 2;

const QUIET_MS = 30_000;

let free = MAX_THREADS;
const waiting: (() => void)[] = [];

/** A body as Markdown, with these links. Large ones are printed in a thread. */
export async function printBody(body: JSONDocument, links: Links): Promise<string> {
  if (!isLargerThan(LARGE, body)) return printed({ body, links });
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  else free -= 1;
  try {
    let text = '';
    const data = JSON.stringify({ body, links });
    await runThread(new URL('./print-thread.ts', import.meta.url), (message) => (text = String(message)), {
      data,
      quietMs: QUIET_MS,
    });
    return text;
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}
