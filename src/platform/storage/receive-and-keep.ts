import type { Readable } from 'node:stream';
import type { Storage, StoredBlob } from './storage.ts';

/** Bytes that are kept whatever they are. */
export async function receiveAndKeep(
  receive: Storage['receive'],
  bytes: Readable,
  maxBytes: number,
): Promise<StoredBlob> {
  const incoming = await receive(bytes, maxBytes);
  try {
    await incoming.keep();
    return { hash: incoming.hash, size: incoming.size };
  } finally {
    await incoming.discard();
  }
}
