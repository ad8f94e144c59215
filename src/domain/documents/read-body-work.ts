import { isWithin, sizeOf } from '../../lib/document/size.ts';
import type { DocumentInput } from './document-input.ts';
import { LARGEST } from './limits.ts';
import { derive, type ReadBody, readForm } from './prepare-document.ts';

/** For threads: reads a body and makes all that follows from it, unless it is larger than a body may be. */
export function work(
  input: DocumentInput,
): ReadBody | { issues: { path: (string | number)[]; message: string }[] } | 'too large' {
  const read = readForm(input);
  if ('issues' in read) return read;
  if (!isWithin(sizeOf(read.body, LARGEST), LARGEST)) return 'too large';
  return { ...read, derived: derive(read.body) };
}
