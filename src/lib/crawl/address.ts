import { trimEndOf } from '../trim-characters.ts';

/** What a crawl may read: pages of one origin, below one path. */
export interface Scope {
  origin: string;
  /** Ends with a slash. */
  prefix: string;
}

const MAX_LENGTH = 2_048;
const MAX_SEGMENTS = 16;
/** A path that repeats a part so often is one that a site makes up as it goes. */
const MAX_REPEATS = 3;
const NO_PAGE =
  /\.(?:7z|avi|bmp|bz2|css|csv|dmg|docx?|eot|exe|gif|gz|ico|iso|jar|jpe?g|js|json|m4a|mov|mp3|mp4|odt|ogg|pdf|png|pptx?|rar|rss|svg|tar|tgz|tiff?|ttf|wasm|wav|webm|webp|woff2?|xlsx?|xml|ya?ml|zip)$/i;

/** Everything below the page that a crawl begins with: the folder of a file, and what is under any other address. */
export function scopeOf(start: string): Scope {
  const { origin, pathname } = new URL(start);
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  const isFile = /\.\w+$/.test(last);
  return { origin, prefix: isFile ? pathname.slice(0, pathname.lastIndexOf('/') + 1) : `${withoutSlash(pathname)}/` };
}

const withoutSlash = (path: string) => trimEndOf(path, '/');

/**
 * One spelling of the address of a page: without fragment and query, which pages of documentation are not told apart by.
 * Undefined for what is no page of the scope, or looks made up.
 */
export function pageAddress(text: string, { origin, prefix }: Scope): string | undefined {
  const url = URL.parse(text);
  if (!url || url.origin !== origin || text.length > MAX_LENGTH) return undefined;
  const { pathname } = url;
  if (!`${withoutSlash(pathname)}/`.startsWith(prefix) || NO_PAGE.test(pathname)) return undefined;
  const segments = segmentsOf(pathname);
  if (segments.length > MAX_SEGMENTS) return undefined;
  if (segments.some((segment) => segments.filter((other) => other === segment).length >= MAX_REPEATS)) return undefined;
  return `${origin}${pathname}`;
}

/** The parts of a path, decoded where that is possible. */
export const segmentsOf = (path: string): string[] =>
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

/** The parts of the address of a page below its scope, without the ending of a file and the name of an index. */
export function placeOf(address: string, { prefix }: Scope): string[] {
  const { pathname } = new URL(address);
  const segments = segmentsOf(pathname.slice(prefix.length));
  const last = segments.at(-1)?.replace(/\.(?:html?|xhtml|php|aspx?|jsp|md)$/i, '');
  const folders = segments.slice(0, -1);
  return last === undefined || /^(?:index|default)$/i.test(last) ? folders : [...folders, last];
}
