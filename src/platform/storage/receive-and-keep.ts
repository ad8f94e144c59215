import type { Readable } from 'node:stream';
import type { Storage, StoredBlob } from './storage.ts';

/** Receives bytes and keeps them without further checks. */
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
