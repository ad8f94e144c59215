import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { SharedWork } from '../../../platform/reads/shared-work.ts';
import { collectPdf } from './collect-pdf.ts';
import { type PdfName, pdfKey } from './pdf-address.ts';
import { cachedPdf, cachePdf, type PdfFile, writePdfFile } from './pdf-cache.ts';
import { BOOK, type PdfSize, SHORT } from './pdf-sizes.ts';
import { contextOfReader } from './reader.ts';
import { runPrinter } from './run-printer.ts';

/** Time that a request waits for a PDF, which is below the timeout of requests. */
const PATIENCE_MS = 28_000;
/** Time that a PDF is still created after its last reader was told to retry. */
const EXPECTED_MS = 60_000;

const unavailable = (message: string) => new ApiError('SERVICE_UNAVAILABLE', message);

const printing = new SharedWork<PdfFile>({
  patience: {
    milliseconds: PATIENCE_MS,
    tooSlow: () => unavailable('The PDF is still being created. Try again shortly.'),
  },
  lingerMs: EXPECTED_MS,
  // Each attempt has one, which begins when it has its slot.
  limitMs: Number.POSITIVE_INFINITY,
});

/**
 * Returns a PDF of a space's content; undefined once the space is deleted, even if the PDF is already printed. The
 * caller has checked access. Concurrent requests for the same PDF share the work and wait up to 28 seconds. After that,
 * or if too much work is queued, it throws `SERVICE_UNAVAILABLE`, and a retry finds the PDF printed. Printing is
 * cancelled once all waiting requests have disconnected.
 */
export async function printPdf(ctx: Context, name: PdfName): Promise<PdfFile | undefined> {
  const space = await ctx.db
    .selectFrom('space')
    .where('id', '=', name.spaceId)
    .where('deletedAt', 'is', null)
    .select('organizationId')
    .executeTakeFirst();
  if (!space) return undefined;
  const { organizationId } = space;
  const key = pdfKey(name);
  return (await cachedPdf(key)) ?? printing.join(ctx, key, (sharedCtx) => print(sharedCtx, organizationId, name));
}

/** Most PDFs are short. How long one takes is only known once it is printed, so all others fail as such first. */
async function print(ctx: Context, organizationId: string, name: PdfName): Promise<PdfFile> {
  try {
    return await printAs(SHORT, ctx, organizationId, name);
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'PAYLOAD_TOO_LARGE') throw error;
    return await printAs(BOOK, ctx, organizationId, name);
  }
}

/** The result is shared by all readers, so it does not depend on the access of the caller. */
async function printAs(size: PdfSize, sharedCtx: Context, organizationId: string, name: PdfName): Promise<PdfFile> {
  const { services } = sharedCtx;
  using slot = await services.heavyWork.begin(size.kind, { ctx: sharedCtx, organizationId });
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(WorkExceeded.time(size.limitMs)), size.limitMs);
  const signal = AbortSignal.any([slot.signal, limit.signal]);
  const ctx = contextOfReader(sharedCtx, name);
  try {
    const collected = await collectPdf(ctx, name, { size, signal });
    const file = await writePdfFile((path) => runPrinter(services, collected, { path, size, signal }));
    cachePdf(pdfKey(name), file);
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
