import type { Readable } from 'node:stream';
import { DAY_MS } from '../../lib/durations.ts';

/** Incomplete files that were not written to for this time belong to killed processes. */
export const LEFT_BEHIND_MS = DAY_MS;

/** SHA-256 and size of stored bytes. */
export interface StoredBlob {
  hash: Buffer;
  size: number;
}

/** A local file for reading, until `release` is called. */
export interface LocalFile {
  path: string;
  release(): Promise<void>;
}

/** Received bytes that are not stored yet, so that `read` does not find them. */
export interface IncomingBlob extends StoredBlob {
  /** Streams all of the bytes or a range. */
  read(range?: BlobRange): Promise<Readable>;
  /** Stores the bytes. Idempotent. */
  keep(): Promise<void>;
  /** Removes the bytes unless they were stored. */
  discard(): Promise<void>;
}

/** Positions of the first and the last byte, both inclusive. */
export interface BlobRange {
  start: number;
  end: number;
}

/**
 * Stores files by their SHA-256. Organizations share files but not the rows (`blob`) that give access to them, so a
 * transfer copies only rows. Stored files never change. Writes are atomic: `read` never finds incomplete files.
 */
export interface Storage {
  /**
   * Receives bytes and hashes them. Fails with `PAYLOAD_TOO_LARGE` beyond `maxBytes`. Call `keep` or `discard` on the
   * result; `tidy` removes what a killed process leaves behind.
   */
  receive(bytes: Readable, maxBytes: number): Promise<IncomingBlob>;
  /** Receives and stores bytes. */
  write(bytes: Readable, maxBytes: number): Promise<StoredBlob>;
  /** Streams a file or a range of it. Undefined if the file does not exist. */
  read(hash: Buffer, range?: BlobRange): Promise<Readable | undefined>;
  /** A file on this machine with the bytes, for readers that need random access. */
  localFile(hash: Buffer): Promise<LocalFile | undefined>;
  /** All stored files in any order. May or may not include files that are written meanwhile. */
  list(): AsyncIterable<Buffer>;
  /**
   * Removes a file unless it was written at or after `unlessSince`. Returns whether it was removed. No concurrent write
   * is lost: a bucket keeps the bytes, and `read` finds them, until `tidy` is called.
   */
  remove(hash: Buffer, unlessSince: Date): Promise<boolean>;
  /**
   * Deletes the bytes of files that were removed before a time, restores removed files that `usedOf` returns again, and
   * removes what killed processes have left behind. Rejects when the signal is aborted; the next call continues.
   */
  tidy(usedOf: (hashes: Buffer[]) => Promise<Buffer[]>, before: Date, signal: AbortSignal): Promise<void>;
}

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
