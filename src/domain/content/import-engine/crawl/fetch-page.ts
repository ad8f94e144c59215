import type { ConvertedPage } from '../../../../lib/html/convert-html.ts';
import { WorkExceeded } from '../../../../platform/heavy-work/work-exceeded.ts';
import { MAX_HTML_BYTES } from '../sources/html-source.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { fetchText } from './fetch-text.ts';

/** A page that was read, with its URL after redirects. */
export interface FetchedPage {
  url: string;
  page: ConvertedPage;
  bytes: number;
}

/** A page, or the reason why there is none. `isPage` is false for files that are not HTML, which are not reported. */
export type PageFetchResult = FetchedPage | { failure: string; isPage: boolean };

const ACCEPT = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1';

export async function fetchPage(
  { fetch, readPage, signal }: Pick<CrawlOptions, 'fetch' | 'readPage' | 'signal'>,
  address: string,
): Promise<PageFetchResult> {
  const fetched = await fetchText(fetch, address, MAX_HTML_BYTES, ACCEPT);
  signal.throwIfAborted();
  if ('failure' in fetched) return { failure: fetched.failure, isPage: true };
  const { url, contentType, bytes } = fetched;
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)) {
    return { failure: `its content type is ${contentType.slice(0, 100) || 'unknown'}`, isPage: false };
  }
  try {
    const result = await readPage({ bytes, contentType, address: url });
    if ('refused' in result) return { failure: result.refused, isPage: true };
    return { url, page: result.page, bytes: bytes.length };
  } catch (error) {
    if (error instanceof WorkExceeded) return { failure: error.message, isPage: true };
    throw error;
  }
}
