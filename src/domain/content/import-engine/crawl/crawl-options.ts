import type { GuardedFetch } from '../../../../platform/outbound/guarded-fetch.ts';
import type { PageReader } from './page-reader.ts';

/** Limits for one website. */
export interface CrawlLimits {
  pages: number;
  /** Of HTML, and the same again of images. */
  bytes: number;
  /** Milliseconds after which no further page is requested. The result has the pages that were read by then. */
  timeMs: number;
}

export interface CrawlOptions {
  fetch: GuardedFetch;
  readPage: PageReader;
  /** Folder for the downloaded pages and images. */
  folder: string;
  limits: CrawlLimits;
  signal: AbortSignal;
  progress?: ((counts: { pagesFound: number; pagesRead: number }) => void) | undefined;
  /**
   * Called when a website exceeds a limit. If it does not throw, the result has everything that was read up to the
   * limit.
   */
  overLimit(): void;
}
