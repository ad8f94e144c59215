import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Services } from '../../../platform/context.ts';
import { runIsolated } from '../../../platform/heavy-work/isolated-process.ts';
import { THREAD_MEGABYTES } from '../../../platform/heavy-work/kinds.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { loggable } from '../../../platform/loggable.ts';
import type { CollectedPdf } from './collect-pdf.ts';
import { packagesDirectory } from './font-files.ts';
import { printLines } from './print-lines.ts';

const ENTRY = new URL('./print-process.ts', import.meta.url);
const SOURCES = join(import.meta.dirname, '..', '..', '..');

/**
 * Time limit of all attempts to print, at a low priority: one PDF is printed at a time, so that a short one must not delay
 * those of others for as long as a book. 1,000 pages take about 70 seconds of processor time.
 */
const limitOf = (pages: number) => Math.min(120_000 + 240 * pages, 900_000);

const MIN_LIMIT_MS = 1_000;
const MEGABYTES = THREAD_MEGABYTES.print;
const MAX_BYTES = 200_000_000;

/** Where a PDF is written, and what ends printing it. */
export interface PrintTarget {
  path: string;
  signal: AbortSignal;
}

/**
 * Prints a PDF into a file. If images make printing fail, it is retried without SVG images, and then without any images. Bitmaps
 * are limited in size, so a PDF that exceeds the limits without SVG images is not retried.
 */
export async function runPrinter(services: Services, collected: CollectedPdf, target: PrintTarget): Promise<void> {
  const all = Object.entries(collected.images);
  const bitmaps = all.filter(([, { kind }]) => kind === 'bitmap');
  const attempts = [all, bitmaps, []].filter((images, index, each) => images.length !== each[index - 1]?.length);
  const ends = performance.now() + limitOf(collected.pages.length);
  for (;;) {
    const images = attempts.shift() ?? [];
    try {
      const left = ends - performance.now();
      // Later attempts get time, too.
      const limitMs = Math.max(MIN_LIMIT_MS, attempts.length > 0 ? left / 2 : left);
      return await print(services, { ...collected, images: Object.fromEntries(images) }, { ...target, limitMs });
    } catch (error) {
      const isTooMuch = error instanceof WorkExceeded && images.length <= bitmaps.length;
      if (target.signal.aborted || isTooMuch || attempts.length === 0) throw error;
      services.log.warn({ err: loggable(error) }, 'a PDF could not be printed with its images');
    }
  }
}

function print(
  { config }: Services,
  collected: CollectedPdf,
  { path, signal, limitMs }: PrintTarget & { limitMs: number },
): Promise<void> {
  return runIsolated({
    entry: ENTRY,
    readable: [SOURCES, packagesDirectory(), ...config.pdfFonts],
    input: printLines(collected, config.pdfFonts),
    signal,
    limitMs,
    megabytes: MEGABYTES,
    maxOutputBytes: MAX_BYTES,
    receive: (output) => pipeline(output, createWriteStream(path)),
  });
}
