import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { Services } from '../../../platform/context.ts';
import { isOutOfSpace } from '../../../platform/disk/out-of-space.ts';
import { runIsolated } from '../../../platform/heavy-work/isolated-process.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { loggable } from '../../../platform/loggable.ts';
import { ownFile } from '../../../platform/own-files.ts';
import type { CollectedPdf } from './collect-pdf.ts';
import { packagesDirectory } from './font-files.ts';
import type { PdfSize } from './pdf-sizes.ts';
import { printLines } from './print-lines.ts';

const ENTRY = ownFile('src/domain/content/pdf/print-process.ts');
const SOURCES = fileURLToPath(ownFile('src'));

const MIN_LIMIT_MS = 1_000;
const MAX_BYTES = 200_000_000;

/** Where a PDF is written, what bounds it, and what ends printing it earlier. */
export interface PrintTarget {
  path: string;
  size: PdfSize;
  signal: AbortSignal;
}

/**
 * Prints a PDF into a file. If images make printing fail and its size allows that, it is retried without SVG images, and then
 * without any images. Bitmaps are limited in size, so a PDF that exceeds the limits without SVG images is not retried.
 */
export async function runPrinter(services: Services, collected: CollectedPdf, target: PrintTarget): Promise<void> {
  const { size, signal } = target;
  const all = Object.entries(collected.images);
  const bitmaps = all.filter(([, { kind }]) => kind === 'bitmap');
  const attempts = (size.dropsImages ? [all, bitmaps, []] : [all]).filter(
    (images, index, each) => images.length !== each[index - 1]?.length,
  );
  const ends = performance.now() + size.printMs(collected.pages.length);
  for (;;) {
    const images = attempts.shift() ?? [];
    try {
      const left = ends - performance.now();
      // Later attempts get time, too.
      const limitMs = Math.max(MIN_LIMIT_MS, attempts.length > 0 ? left / 2 : left);
      return await print(services, { ...collected, images: Object.fromEntries(images) }, { ...target, limitMs });
    } catch (error) {
      const isTooMuch = error instanceof WorkExceeded && images.length <= bitmaps.length;
      if (signal.aborted || isTooMuch || isOutOfSpace(error) || attempts.length === 0) throw error;
      services.log.warn({ err: loggable(error) }, 'a PDF could not be printed with its images');
    }
  }
}

function print(
  { config }: Services,
  collected: CollectedPdf,
  { path, size, signal, limitMs }: PrintTarget & { limitMs: number },
): Promise<void> {
  return runIsolated({
    entry: ENTRY,
    readable: [SOURCES, packagesDirectory(), ...config.pdfFonts],
    input: printLines(collected, config.pdfFonts),
    signal,
    limitMs,
    megabytes: size.megabytes,
    maxOutputBytes: MAX_BYTES,
    receive: (output) => pipeline(output, createWriteStream(path)),
  });
}
