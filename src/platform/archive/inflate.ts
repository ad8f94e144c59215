import { pipeline, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { inflateSync } from 'fflate';

/** Inflates raw DEFLATE data (RFC 1951) while it is read. Destroying the stream destroys the source. */
export const inflate = (source: Readable): Readable => pipeline(source, createInflateRaw(), () => {});

/**
 * Inflates raw DEFLATE data of at most 64 KB to at most `size` bytes and one more, which says that there are too many. A
 * stream takes several times as long for data this small, and 100 KB of memory.
 */
export const inflateSmall = (bytes: Uint8Array, size: number): Uint8Array =>
  inflateSync(bytes, { out: new Uint8Array(size + 1) });
