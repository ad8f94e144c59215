import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../platform/context/context.ts';
import { sessionOf } from '../../../platform/context/session.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { collectPdf } from './collect-pdf.ts';
import { type PdfName, pdfKey } from './pdf-address.ts';
import { type PdfFile, pdfCache, writePdfFile } from './pdf-cache.ts';
import { BOOK, type PdfSize, SHORT } from './pdf-sizes.ts';
import { contextOfReader } from './reader.ts';
import { runPrinter } from './run-printer.ts';

/** Time that a request waits for a PDF, which is below the timeout of requests. */
const PATIENCE_MS = 28_000;
/** Time that a PDF is still created after its last reader was told to retry. */
const EXPECTED_MS = 60_000;

const underWay = new Map<string, Printing>();

/** A PDF that is being created, with its number of readers. */
interface Printing {
  done: Promise<PdfFile>;
  readers: number;
  cancelled: AbortController;
}

/**
 * Returns a PDF of an organization's content. The caller has checked access. Concurrent requests for the same PDF share
 * the work and wait up to 28 seconds. After that, or if too much work is queued, it throws `SERVICE_UNAVAILABLE`, and a
 * retry finds the PDF printed. Printing is cancelled once all waiting requests have disconnected.
 */
export async function printPdf(ctx: Context, organizationId: string, name: PdfName): Promise<PdfFile> {
  const key = pdfKey(name);
  const known = pdfCache.get(key);
  if (known) return known;
  const printing = underWay.get(key) ?? begin(ctx, organizationId, name);
  printing.readers += 1;
  const waited = new AbortController();
  const signal = ctx.work ? AbortSignal.any([waited.signal, ctx.work.abandonedSignal]) : waited.signal;
  const tooSlow = sleep(PATIENCE_MS, undefined, { signal, ref: false }).then(() => {
    throw unavailable('The PDF is still being created. Try again shortly.');
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
  // The readers handle the error. Without readers, it would be an unhandled rejection.
  done.catch(() => {});
  const printing = { done, readers: 0, cancelled };
  underWay.set(key, printing);
  return printing;
}

/** Cancels printing when the last reader disconnects. Readers that were told to retry get time for it. */
function leave(printing: Printing, { work }: Context): void {
  printing.readers -= 1;
  const giveUp = () => {
    if (printing.readers === 0)
      printing.cancelled.abort(unavailable('All clients that waited for this PDF have disconnected.'));
  };
  if (work?.hasClientLeft) giveUp();
  else setTimeout(giveUp, EXPECTED_MS).unref();
}

const unavailable = (message: string) => new ApiError('SERVICE_UNAVAILABLE', message);

/** Most PDFs are short. How long one takes is only known once it is printed, so all others fail as such first. */
async function print(ctx: Context, organizationId: string, name: PdfName, signal: AbortSignal): Promise<PdfFile> {
  try {
    return await printAs(SHORT, ctx, organizationId, name, signal);
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'PAYLOAD_TOO_LARGE') throw error;
    return await printAs(BOOK, ctx, organizationId, name, signal);
  }
}

/** The result is shared by all readers, so it does not depend on the first request or the access of its caller. */
async function printAs(
  size: PdfSize,
  { work: _, ...own }: Context,
  organizationId: string,
  name: PdfName,
  cancelled: AbortSignal,
): Promise<PdfFile> {
  const { services } = own;
  using turn = await services.heavyWork.begin(size.kind, { ctx: own, organizationId, signal: cancelled });
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(WorkExceeded.time(size.turnMs)), size.turnMs);
  const signal = AbortSignal.any([turn.signal, limit.signal]);
  const ctx = contextOfReader({ ...own, ...sessionOf(services.em.fork()) }, name);
  try {
    const collected = await collectPdf(ctx, name, { size, signal });
    const file = await writePdfFile((path) => runPrinter(services, collected, { path, size, signal }));
    pdfCache.set(pdfKey(name), file);
    return file;
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw new ApiError(
      'PAYLOAD_TOO_LARGE',
      `This PDF cannot be printed: ${error.message}. Request a PDF of a single page.`,
    );
  } finally {
    clearTimeout(timer);
  }
}
