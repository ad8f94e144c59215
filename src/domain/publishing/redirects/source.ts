import { trimEndOf } from '../../../lib/trim-characters.ts';
import { multilineText } from '../../../platform/shapes/text.ts';

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

/** How a source is stored for lookups. */
export function sourceKey(source: string): { key: string; isWildcard: boolean } {
  const isWildcard = source.endsWith('*');
  return { key: (isWildcard ? source.slice(0, -1) : source).toLowerCase(), isWildcard };
}

/** A requested path as it is looked up: without slashes at the end. */
export const requestedPath = (path: string) => trimEndOf(path, '/') || '/';

/** The part of a path that `*` matches, for a source with this key. */
export const restOf = (path: string, key: string) => path.slice(key.length);
