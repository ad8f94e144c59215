import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical.ts';
import type { Yielder } from '../tick.ts';
import type { JSONDocument } from './document.ts';

/** SHA-256 of the canonical JSON (RFC 8785) of a document, including the keys of nodes: 32 bytes. */
export function hashDocument(document: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(document)).digest();
}

/** The same in hexadecimal. Yields to the event loop between blocks. */
export async function hashSlowly({ nodes, ...document }: JSONDocument, pause: Yielder): Promise<string> {
  // `nodes` is one of the sorted properties, so the text before and after it can be computed without it.
  const [before = '', behind = ''] = canonicalJson({ ...document, nodes: [] }).split('"nodes":[]');
  const hash = createHash('sha256').update(`${before}"nodes":[`);
  for (const [index, node] of nodes.entries()) {
    hash.update(`${index > 0 ? ',' : ''}${canonicalJson(node)}`);
    await pause();
  }
  return hash.update(`]${behind}`).digest('hex');
}
