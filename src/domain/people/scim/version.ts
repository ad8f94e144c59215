import { sha256 } from '../../../lib/canonical.ts';
import { ApiError } from '../../../platform/errors/errors.ts';

/** The version of a resource (RFC 7644, 3.14): a weak entity tag, made of all that the resource shows. */
export const versionOfResource = (resource: object): string => `W/"${sha256(JSON.stringify(resource)).slice(0, 24)}"`;

/** Throws PRECONDITION_FAILED unless `If-Match` is absent, `*`, or has the version. Tags are compared weakly. */
export function checkVersion(ifMatch: string | undefined, version: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*' || namesVersion(ifMatch, version)) return;
  throw new ApiError('PRECONDITION_FAILED', 'The resource has changed. Read it again and send the current version.');
}

/** Whether the header names the version. Compressed responses have a suffix in their tags. */
export const namesVersion = (header: string, version: string): boolean =>
  header.split(',').some((tag) => opaque(tag) === opaque(version));

const opaque = (tag: string) =>
  tag
    .trim()
    .replace(/^W\//, '')
    .replaceAll('"', '')
    .replace(/-(?:br|gzip)$/, '');
