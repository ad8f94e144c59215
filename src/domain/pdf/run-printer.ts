import { join } from 'node:path';
import type { Services } from '../../platform/context.ts';
import { runIsolated } from '../../platform/heavy-work/isolated-process.ts';
import { loggable } from '../../platform/loggable.ts';
import type { CollectedPdf } from './collect-pdf.ts';
import { PACKAGES } from './font-files.ts';
import { printLines } from './print-lines.ts';

const ENTRY = new URL('./print-process.ts', import.meta.url);
const SOURCES = join(import.meta.dirname, '..', '..');

/** One attempt to print may take so long. */
const LIMIT_MS = 60_000;
const HEAP_MEGABYTES = 512;
const MAX_BYTES = 200_000_000;

/**
 * The bytes of a PDF. Where images stop the printer, or make it take too long, it is printed without drawings, and then
 * without any images.
 */
export async function runPrinter(services: Services, collected: CollectedPdf, signal: AbortSignal): Promise<Buffer> {
  const images = Object.entries(collected.images);
  const bitmaps = images.filter(([, { kind }]) => kind === 'bitmap');
  const attempts = [images, bitmaps, []].filter((each, index, all) => each.length !== all[index - 1]?.length);
  for (const [index, some] of attempts.entries()) {
    try {
      return await print(services, { ...collected, images: Object.fromEntries(some) }, signal);
    } catch (error) {
      if (signal.aborted || index === attempts.length - 1) throw error;
      services.log.warn({ err: loggable(error) }, 'a PDF could not be printed with its images');
    }
  }
  throw new Error('There is no attempt without images.');
}

async function print({ config }: Services, collected: CollectedPdf, signal: AbortSignal): Promise<Buffer> {
  return runIsolated({
    entry: ENTRY,
    readable: [SOURCES, PACKAGES, ...config.pdfFonts],
    input: printLines(collected, config.pdfFonts),
    signal,
    limitMs: LIMIT_MS,
    heapMegabytes: HEAP_MEGABYTES,
    maxOutputBytes: MAX_BYTES,
  });
}
