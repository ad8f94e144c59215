import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical.ts';
import type { Pause } from '../pause.ts';
import type { JSONDocument } from './document.ts';

/** SHA-256 of the canonical JSON (RFC 8785) of a document, keys of nodes included: 32 bytes. */
export function hashOf(document: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(document)).digest();
}

/** The same in hex, block by block, with others served in between. */
export async function hashSlowly({ nodes, ...document }: JSONDocument, pause: Pause): Promise<string> {
  // `nodes` is a member of the sorted document: what stands before and behind it is known without it.
  const [before = '', behind = ''] = canonicalJson({ ...document, nodes: [] }).split('"nodes":[]');
  const hash = createHash('sha256').update(`${before}"nodes":[`);
  for (const [index, node] of nodes.entries()) {
    hash.update(`${index > 0 ? ',' : ''}${canonicalJson(node)}`);
    await pause();
  }
  return hash.update(`]${behind}`).digest('hex');
}
