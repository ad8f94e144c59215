import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical.ts';

/** SHA-256 of the canonical JSON (RFC 8785) of a document, keys of nodes included: 32 bytes. */
export function hashOf(document: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(document)).digest();
}
