import type { Issue } from '../../../lib/validation/flatten-issues.ts';
import { deriveFromBody, type KnownAddresses, readForm, type ValidatedBody } from '../prepared-bodies/index.ts';
import type { DocumentInput } from './document-input.ts';
import { isPermitted } from './limits.ts';

/**
 * Runs in a worker. Reads a body and derives everything from it, unless the body is too large, or has to be read again
 * once the targets of its URLs are known.
 */
export function work({
  known: options,
  ...input
}: DocumentInput & { known: KnownAddresses }): ValidatedBody | { issues: Issue[] } | 'too large' {
  const read = readForm(input, options);
  if ('issues' in read) return read;
  if (!isPermitted(read.body)) return 'too large';
  // Only bodies of pages are derived from; the others are not stored as documents.
  return read.addresses || options.topHeading === 1 ? read : { ...read, derived: deriveFromBody(read.body) };
}
