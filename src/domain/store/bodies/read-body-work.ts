import { isWithin, sizeOf } from '../../../lib/document/size.ts';
import type { DocumentInput } from './document-input.ts';
import { LARGEST } from './limits.ts';
import { derive, type KnownAddresses, type ReadBody, readForm } from './prepare-document.ts';

/**
 * For threads: reads a body and makes all that follows from it, unless it is larger than a body may be, or is to be read
 * again once it is known what its addresses name.
 */
export function work({
  known,
  ...input
}: DocumentInput & { known: KnownAddresses }):
  | ReadBody
  | { issues: { path: (string | number)[]; message: string }[] }
  | 'too large' {
  const read = readForm(input, known);
  if ('issues' in read) return read;
  if (!isWithin(sizeOf(read.body, LARGEST), LARGEST)) return 'too large';
  return read.addresses ? read : { ...read, derived: derive(read.body) };
}
