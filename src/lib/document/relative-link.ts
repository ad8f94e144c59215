import { posix } from 'node:path';

/** What has a meaning of its own in an address, and cannot stand in one. */
const RESERVED = /[%?#\s\p{Cc}]/gu;

/**
 * The address of a page as a file of Markdown beside another: `../guide/setup.md`, with the anchor when there is one.
 * Both are paths of slugs, in which reserved characters are percent-encoded (RFC 3986, 2.1). `pathsOfLink` reads it.
 */
export function relativeLink(from: string, to: string, anchor?: string): string {
  const path = posix.relative(posix.dirname(`/${from}`), `/${to}.md`).replace(RESERVED, encodeURIComponent);
  // A colon in the first segment would end a scheme (RFC 3986, 4.2).
  const isAmbiguous = /^[^/]*:/.test(path);
  return (isAmbiguous ? `./${path}` : path) + (anchor === undefined ? '' : anchorPart(anchor));
}

const anchorPart = (anchor: string) => `#${anchor.replace(/[%\s\p{Cc}]/gu, encodeURIComponent)}`;

/**
 * The paths of slugs that an address may mean beside the page at `from`, most literal first: without `.md`, and as it is.
 * One that begins with a slash starts at the top. Empty where it leads out of the space or names no page.
 */
export function pathsOfLink(from: string, path: string): string[] {
  const steps = path.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') steps.push(decoded(segment).normalize('NFC'));
    else if (steps.pop() === undefined) return [];
  }
  const whole = steps.join('/');
  if (whole === '') return [];
  return /[^/]\.md$/.test(whole) ? [whole.slice(0, -3), whole] : [whole];
}

/** Percent signs that encode nothing stand for themselves. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
