import { trimEndOf } from '../../../lib/trim-characters.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { pathSegments } from '../structure/index.ts';

/** Segments of unreserved and percent-encoded characters, and `*` at the end. */
const SOURCE = /^\/(?:[A-Za-z0-9._~+-]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9._~+-]|%[0-9A-Fa-f]{2})+)*(?:\/?\*)?$/;

export const redirectSource = multilineText(1, 512)
  .regex(
    SOURCE,
    'must be a path such as /old/page, with other characters percent-encoded, or with a trailing * such as /old/*',
  )
  .describe(
    'Path on the site that is redirected, up to 512 characters, such as `/old/page`. A trailing `*` matches any remaining path. Case is ignored.',
  );

/** How a source is stored for lookups: its canonical form in lowercase. */
export function sourceKey(source: string): { key: string; isWildcard: boolean } {
  const isWildcard = source.endsWith('*');
  const path = isWildcard ? source.slice(0, -1) : source;
  return { key: `${canonicalPath(path)}${path.endsWith('/') ? '/' : ''}`.toLowerCase(), isWildcard };
}

/** A requested path without slashes at the end. */
export const requestedPath = (path: string) => trimEndOf(path, '/') || '/';

/**
 * A path with the characters encoded that a source must encode, and no others, because browsers and administrators
 * encode differently: `/wiki/Foo_(bar)` and `/wiki/Foo_%28bar%29` are the same path. Without a slash at the end.
 */
export const canonicalPath = (path: string) => `/${pathSegments(path).map(encodedSegment).join('/')}`;

/** `encodeURIComponent` leaves `!'()*` as they are, which a source must encode, and encodes `+`, which it need not. */
const encodedSegment = (segment: string) =>
  encodeURIComponent(segment.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    .replaceAll('%2B', '+');

/** The part of a path that `*` matches, for a source with this key. */
export const restOf = (path: string, key: string) => path.slice(key.length);
