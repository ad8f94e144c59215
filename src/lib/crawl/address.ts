import { trimEndOf } from '../trim-characters.ts';

/** The pages that a crawl reads: those of one origin, below one path. */
export interface CrawlScope {
  origin: string;
  /** Ends with a slash. */
  prefix: string;
}

const MAX_LENGTH = 2_048;
const MAX_SEGMENTS = 16;
/** Paths that repeat a segment this often are usually generated endlessly. */
const MAX_REPEATS = 3;
const NO_PAGE =
  /\.(?:7z|avi|bmp|bz2|css|csv|dmg|docx?|eot|exe|gif|gz|ico|iso|jar|jpe?g|js|json|m4a|mov|mp3|mp4|odt|ogg|pdf|png|pptx?|rar|rss|svg|tar|tgz|tiff?|ttf|wasm|wav|webm|webp|woff2?|xlsx?|xml|ya?ml|zip)$/i;

/** The scope of a crawl: the folder of a file, or everything below any other URL. */
export function crawlScope(start: string): CrawlScope {
  const { origin, pathname } = new URL(start);
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  const isFile = /\.\w+$/.test(last);
  return { origin, prefix: isFile ? pathname.slice(0, pathname.lastIndexOf('/') + 1) : `${withoutSlash(pathname)}/` };
}

const withoutSlash = (path: string) => trimEndOf(path, '/');

/**
 * The canonical URL of a page: without fragment and query, which rarely distinguish pages of documentation. Undefined
 * for URLs outside of the scope, files that are not pages, and paths that look generated.
 */
export function pageAddress(text: string, { origin, prefix }: CrawlScope): string | undefined {
  const url = URL.parse(text);
  if (!url || url.origin !== origin || text.length > MAX_LENGTH) return undefined;
  const { pathname } = url;
  if (!`${withoutSlash(pathname)}/`.startsWith(prefix) || NO_PAGE.test(pathname)) return undefined;
  const segments = decodedSegments(pathname);
  if (segments.length > MAX_SEGMENTS) return undefined;
  if (segments.some((segment) => segments.filter((other) => other === segment).length >= MAX_REPEATS)) return undefined;
  return `${origin}${pathname}`;
}

/** The segments of a path, decoded if possible. */
export const decodedSegments = (path: string): string[] =>
  path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });

/** The segments of a page's URL below the scope, without a file extension and without the name of an index. */
export function segmentsInScope(address: string, { prefix }: CrawlScope): string[] {
  const { pathname } = new URL(address);
  const segments = decodedSegments(pathname.slice(prefix.length));
  const last = segments.at(-1)?.replace(/\.(?:html?|xhtml|php|aspx?|jsp|md)$/i, '');
  const folders = segments.slice(0, -1);
  return last === undefined || /^(?:index|default)$/i.test(last) ? folders : [...folders, last];
}
