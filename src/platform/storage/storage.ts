import type { Readable } from 'node:stream';

/** Bytes that were written: their SHA-256 and how many. */
export interface StoredBlob {
  hash: Buffer;
  size: number;
}

/** A file to be read, until `release` lets go of it. */
export interface LocalFile {
  path: string;
  release(): Promise<void>;
}

/** Bytes that were received and have no name yet, so that `read` does not find them. */
export interface IncomingBlob extends StoredBlob {
  /** Streams them out, whole or from `start` to `end`, both counted. */
  read(range?: ByteRange): Promise<Readable>;
  /** Gives them their name; done once however often it is called. */
  keep(): Promise<void>;
  /** Removes them, unless they were kept. */
  discard(): Promise<void>;
}

/** Both ends are counted, as in an HTTP range. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Where the bytes of files are, by their SHA-256. Organizations share bytes, never the rows (`blob`) that make them reachable,
 * so a transfer copies rows and no bytes. What is stored never changes.
 * Writing is all or nothing: a broken stream leaves nothing behind that `read` would find.
 */
export interface Storage {
  /**
   * Streams bytes in, hashing on the way; refuses with `PAYLOAD_TOO_LARGE` beyond `maxBytes`. They are to be kept or
   * discarded; what a process that ended left is removed after a day.
   */
  receive(bytes: Readable, maxBytes: number): Promise<IncomingBlob>;
  /** Receives bytes and keeps them. */
  write(bytes: Readable, maxBytes: number): Promise<StoredBlob>;
  /** Streams bytes out, whole or a range of them. Undefined: not there. */
  read(hash: Buffer, range?: ByteRange): Promise<Readable | undefined>;
  /** A file on this machine that holds the bytes, for readers that must seek. */
  localFile(hash: Buffer): Promise<LocalFile | undefined>;
  /** Everything that is stored, in any order; what is written meanwhile may be among it or not. */
  list(): AsyncIterable<Buffer>;
  /**
   * Removes bytes unless they were written at that time or later, however often before; answers whether it did. A directory
   * loses no write of the same moment. S3 cannot take objects aside: there a write within the same milliseconds can be lost.
   */
  remove(hash: Buffer, unlessSince: Date): Promise<boolean>;
}
