import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { LeftOut } from '../../../lib/pdf/source.ts';
import type { Services } from '../../../platform/context/services.ts';
import { isOutOfSpace } from '../../../platform/disk/out-of-space.ts';
import { loggable } from '../../../platform/log/loggable.ts';
import { ownFile } from '../../../platform/own-files.ts';
import { type ChosenImages, isDrawing } from './collect-images.ts';
import type { CollectedPdf } from './collect-pdf.ts';
import { packagesDirectory } from './font-files.ts';
import { runIsolated } from './isolated-process.ts';
import type { PdfSize } from './pdf-sizes.ts';
import { printLines } from './print-lines.ts';

const ENTRY = ownFile('src/domain/content/pdf/print-process.ts');
const SOURCES = fileURLToPath(ownFile('src'));

const MIN_LIMIT_MS = 1_000;
const MAX_BYTES = 200_000_000;

/** File, bounds and abort signal of printing a PDF. */
export interface PrintTarget {
  path: string;
  size: PdfSize;
  signal: AbortSignal;
}

/**
 * Prints a PDF into a file, and returns the number of images that it has a link instead of. If printing fails and the
 * size allows that, it is retried without SVG images, and then without any images. The PDF says how many are left out.
 */
export async function runPrinter(services: Services, collected: CollectedPdf, target: PrintTarget): Promise<number> {
  const { size, signal } = target;
  const attempts = size.dropsImages ? attemptsWith(collected.images) : [collected.images];
  const ends = performance.now() + size.printMs(collected.pages.length, collected.images.files.length);
  for (;;) {
    const images = attempts.shift() ?? collected.images;
    try {
      const remainingMs = ends - performance.now();
      // Later attempts get time, too.
      const limitMs = Math.max(MIN_LIMIT_MS, attempts.length > 0 ? remainingMs / 2 : remainingMs);
      const unreadable = await print(services, { ...collected, images }, { ...target, limitMs });
      return totalOf(images.leftOut) + unreadable;
    } catch (error) {
      if (signal.aborted || isOutOfSpace(error) || attempts.length === 0) throw error;
      services.log.warn({ err: loggable(error) }, 'a PDF could not be printed with its images');
    }
  }
}

/** All images, then bitmaps, then none. */
function attemptsWith({ files, leftOut }: ChosenImages): ChosenImages[] {
  const bitmaps = files.filter((file) => !isDrawing(file));
  return [files, bitmaps, []]
    .filter((some, index, all) => some.length !== all[index - 1]?.length)
    .map((some) => ({ files: some, leftOut: { ...leftOut, effort: files.length - some.length } }));
}

const totalOf = ({ format, size, unreadable, effort }: LeftOut) => format + size + unreadable + effort;

/** Returns the number of images that the process could not read, which is the last line of its standard error. */
async function print(
  services: Services,
  collected: CollectedPdf,
  { path, size, signal, limitMs }: PrintTarget & { limitMs: number },
): Promise<number> {
  const said = await runIsolated({
    entry: ENTRY,
    readable: [SOURCES, packagesDirectory(), ...services.config.pdfFonts],
    input: printLines(services, collected),
    signal,
    limitMs,
    megabytes: size.megabytes,
    maxOutputBytes: MAX_BYTES,
    receive: (output) => pipeline(output, createWriteStream(path)),
  });
  return Number(/^unreadable images: (\d{1,9})$/m.exec(said)?.[1] ?? 0);
}
