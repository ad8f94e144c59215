import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ANONYMOUS } from '../../../platform/access/actor.ts';
import { type Context, sessionOf } from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { collectPdf } from './collect-pdf.ts';
import { type PdfName, pdfKey } from './pdf-address.ts';
import { runPrinter } from './run-printer.ts';

/** How long somebody waits for a PDF, within the time that a request has. */
const PATIENCE_MS = 28_000;
/** How long a PDF is made for somebody who was told to come again. */
const EXPECTED_MS = 60_000;
const MAX_KEPT = 20;
const MAX_KEPT_BYTES = 10_000_000;

/** Printed PDFs, of immutable content; each process has its own. */
const kept = new LRUCache<string, Buffer>({ max: MAX_KEPT });
const underWay = new Map<string, Printing>();

/** A PDF that is being made, and for how many. */
interface Printing {
  done: Promise<Buffer>;
  readers: number;
  cancelled: AbortController;
}

/**
 * The bytes of a PDF of an organization's content. That it may be shown is checked before. Whoever asks for one that is
 * under way waits with the others, 28 seconds at most: then, or when too much waits, `SERVICE_UNAVAILABLE`, and asking again
 * soon finds it printed. One that nobody waits for any more is given up.
 */
export async function printPdf(ctx: Context, organizationId: string, name: PdfName): Promise<Buffer> {
  const key = pdfKey(name);
  const known = kept.get(key);
  if (known) return known;
  const printing = underWay.get(key) ?? begin(ctx, organizationId, name);
  printing.readers += 1;
  const waited = new AbortController();
  const signal = ctx.work ? AbortSignal.any([waited.signal, ctx.work.unwanted]) : waited.signal;
  const tooSlow = sleep(PATIENCE_MS, undefined, { signal, ref: false }).then(() => {
    throw unavailable('The PDF is still being made; try again shortly.');
  });
  tooSlow.catch(() => {});
  try {
    return await Promise.race([printing.done, tooSlow]);
  } finally {
    waited.abort();
    leave(printing, ctx);
  }
}

function begin(ctx: Context, organizationId: string, name: PdfName): Printing {
  const key = pdfKey(name);
  const cancelled = new AbortController();
  const done = print(ctx, organizationId, name, cancelled.signal).finally(() => underWay.delete(key));
  // Whoever waits hears of it; when nobody does, nobody needs to.
  done.catch(() => {});
  const printing = { done, readers: 0, cancelled };
  underWay.set(key, printing);
  return printing;
}

/** The last reader that hangs up ends it; one that was told to come again is waited for. */
function leave(printing: Printing, { work }: Context): void {
  printing.readers -= 1;
  const giveUp = () => {
    if (printing.readers === 0) printing.cancelled.abort(unavailable('Nobody waits for this PDF any more.'));
  };
  if (work?.hasClientLeft) giveUp();
  else setTimeout(giveUp, EXPECTED_MS).unref();
}

const unavailable = (message: string) => new ApiError('SERVICE_UNAVAILABLE', message);

/** Made for all readers: the request of the first does not end it, and its rights do not matter. */
async function print(
  { work: _, ...own }: Context,
  organizationId: string,
  name: PdfName,
  signal: AbortSignal,
): Promise<Buffer> {
  const { services } = own;
  using turn = await services.heavyWork.begin('pdf', { ctx: own, organizationId, signal });
  const ctx = { ...own, actor: ANONYMOUS, ...sessionOf(services.em.fork()) };
  try {
    const bytes = await runPrinter(services, await collectPdf(ctx, name, turn.signal), turn.signal);
    if (bytes.length <= MAX_KEPT_BYTES) kept.set(pdfKey(name), bytes);
    return bytes;
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw new ApiError('PAYLOAD_TOO_LARGE', `This PDF cannot be printed: ${error.message}; ask for a page of it.`);
  }
}
