import { setTimeout as sleep } from 'node:timers/promises';
import { LruMap } from '../../lib/lru.ts';
import type { Services } from '../../platform/context.ts';
import { Refusal } from '../../platform/errors.ts';
import { inTurn } from '../../platform/in-turn.ts';
import { jobContext } from '../../platform/jobs/job.ts';
import { runThread } from '../../platform/thread.ts';
import { type CollectedPdf, collectPdf } from './collect-pdf.ts';
import { type PdfName, pdfKey } from './pdf-address.ts';
import type { PrintData } from './print-thread.ts';

/** How long somebody waits for a PDF (decisions 4.4), within the time that a request has. */
const PATIENCE_MS = 28_000;
/** A thread that needs longer is stopped. */
const PRINTING_MS = 120_000;
/** PDFs of a process that wait to be printed; more are refused. */
const MAX_WAITING = 20;
const MAX_KEPT = 20;
const MAX_KEPT_BYTES = 10_000_000;

/** Printed PDFs, of immutable content; each process has its own. */
const kept = new LruMap<string, Buffer>(MAX_KEPT);
const underWay = new Map<string, Promise<Buffer>>();

/**
 * The bytes of a PDF. That it may be shown is checked before. Whoever asks for one that is under way waits with the others, some 30 seconds at most: then, or
 * when too many wait, `SERVICE_UNAVAILABLE`, and asking again finds it printed.
 */
export async function printPdf(services: Services, name: PdfName): Promise<Buffer> {
  const key = pdfKey(name);
  const known = kept.get(key);
  if (known) return known;
  let printing = underWay.get(key);
  if (!printing) {
    if (underWay.size >= MAX_WAITING) throw unavailable('Too many PDFs are being made; try again shortly.');
    // One after the other: each takes all of a core.
    printing = inTurn('pdf', () => print(services, name)).finally(() => underWay.delete(key));
    // Whoever waits hears of it; when nobody does, nobody needs to.
    printing.catch(() => {});
    underWay.set(key, printing);
  }
  const tooSlow = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw unavailable('The PDF is still being made; try again shortly.');
  });
  return Promise.race([printing, tooSlow]);
}

const unavailable = (message: string) => new Refusal('SERVICE_UNAVAILABLE', message);

async function print(services: Services, name: PdfName): Promise<Buffer> {
  const collected = await collectPdf(jobContext(services, 'pdf'), name);
  const bytes = await inThread(services, collected);
  if (bytes.length <= MAX_KEPT_BYTES) kept.set(pdfKey(name), bytes);
  return bytes;
}

/** A broken image stops the printer: then it is tried without any. */
async function inThread(services: Services, collected: CollectedPdf): Promise<Buffer> {
  try {
    return await runPrinter(services, collected);
  } catch (error) {
    if (Object.keys(collected.images).length === 0) throw error;
    services.log.warn({ err: error }, 'a PDF could not be printed with its images');
    return runPrinter(services, { ...collected, images: {} });
  }
}

async function runPrinter({ config }: Services, collected: CollectedPdf): Promise<Buffer> {
  const data: PrintData = { collected, fonts: config.pdfFonts };
  let printed: Uint8Array | undefined;
  const take = (message: unknown) => {
    printed = message as Uint8Array; // all that the thread says
  };
  await runThread(new URL('print-thread.ts', import.meta.url), take, { data, quietMs: PRINTING_MS });
  if (!printed) throw new Error('The printer ended without a PDF.');
  return Buffer.from(printed.buffer, printed.byteOffset, printed.byteLength);
}
