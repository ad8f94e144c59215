import { posix } from 'node:path';

/** Characters that are reserved or not allowed in URLs. */
const RESERVED = /[%?#\s\p{Cc}]/gu;

/**
 * Relative URL of a page from another page, as Markdown files: `../guide/setup.md`, with an anchor if there is one.
 * Both pages are given as paths of slugs. Reserved characters are percent-encoded (RFC 3986, 2.1). `pathsOfLink`
 * reverses this.
 */
export function relativeLink(from: string, to: string, anchor?: string): string {
  const path = posix.relative(posix.dirname(`/${from}`), `/${to}.md`).replace(RESERVED, encodeURIComponent);
  // A colon in the first segment would make it a scheme (RFC 3986, 4.2).
  const isAmbiguous = /^[^/]*:/.test(path);
  return (isAmbiguous ? `./${path}` : path) + (anchor === undefined ? '' : anchorPart(anchor));
}

const anchorPart = (anchor: string) => `#${anchor.replace(/[%\s\p{Cc}]/gu, encodeURIComponent)}`;

/**
 * Possible paths of slugs for a relative URL on the page at `from`, the most literal first: without `.md`, and
 * unchanged. A leading slash starts at the top level. Empty if the URL leads out of the space or has no path.
 */
export function pathsOfLink(from: string, path: string): string[] {
  const steps = path.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') steps.push(decodePercents(segment).normalize('NFC'));
    else if (steps.pop() === undefined) return [];
  }
  const whole = steps.join('/');
  if (whole === '') return [];
  return /[^/]\.md$/.test(whole) ? [whole.slice(0, -3), whole] : [whole];
}

/** Percent signs without two hexadecimal digits are literal. */
export function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
