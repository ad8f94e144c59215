import { type Kind, WORKER_MEGABYTES } from '../../../platform/heavy-work/kinds.ts';

/** The bounds of a PDF, and the kind of heavy work that creates it. */
export interface PdfSize {
  kind: Kind;
  maxPages: number;
  /** Of bodies in their JSON form, which the printer keeps as text until it prints them. */
  maxCharacters: number;
  /** Of all images together. */
  maxImageBytes: number;
  /** Time limit of collecting and printing. */
  limitMs: number;
  /** Time limit of all attempts to print. */
  printMs(pages: number, images: number): number;
  megabytes: number;
  /** Whether a PDF that cannot be printed with its images is printed without them. */
  dropsImages: boolean;
}

const SHORT_MS = 12_000;
const MAX_PRINT_MS = 900_000;

/**
 * Bounds of most PDFs. A request waits for a PDF of another organization for at most `limitMs`, and can then still
 * return its own. Larger PDFs are printed as a book.
 */
export const SHORT: PdfSize = {
  kind: 'pdf',
  maxPages: 50,
  maxCharacters: 4_000_000,
  maxImageBytes: 40_000_000,
  limitMs: SHORT_MS,
  printMs: () => SHORT_MS,
  megabytes: WORKER_MEGABYTES.print,
  dropsImages: false,
};

/**
 * 1,000 pages take about 70 seconds of processor time, at a low priority, and an image that is scaled down up to one.
 */
export const BOOK: PdfSize = {
  kind: 'book',
  maxPages: 5_000,
  maxCharacters: 64_000_000,
  maxImageBytes: 150_000_000,
  limitMs: MAX_PRINT_MS,
  printMs: (pages, images) => Math.min(120_000 + 240 * pages + 1_000 * images, MAX_PRINT_MS),
  megabytes: WORKER_MEGABYTES.book,
  dropsImages: true,
};
