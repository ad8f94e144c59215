import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admitsRange, type ByteRange, byteRange, isNotModified } from './conditional.ts';

/** Bytes to be sent: what they are, and how to read all of them or a part. */
export interface Bytes {
  /** Strong entity tag, with its quotes. */
  etag: string;
  size: number;
  read(range?: ByteRange): Promise<Readable>;
}

/**
 * The answer to GET or HEAD, for a route to return: 304 when the client has the bytes, 206 or 416 for a single range, 200
 * otherwise. The headers that say what the bytes are must be set before.
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, size, read }: Bytes,
): Promise<Readable | undefined> {
  const { headers, method } = request;
  const isHead = method === 'HEAD';
  reply.header('etag', etag).header('accept-ranges', 'bytes');
  if (isNotModified(headers['if-none-match'], etag)) {
    reply.status(304);
    return isHead ? NOTHING() : undefined;
  }
  // Ranges are defined for GET alone (RFC 9110, 14.2).
  const asked = !isHead && admitsRange(headers['if-range'], etag) ? byteRange(headers.range, size) : null;
  if (asked === 'unsatisfiable') {
    reply.status(416).header('content-range', `bytes */${size}`).header('cache-control', 'no-store');
    return undefined;
  }
  if (asked) reply.status(206).header('content-range', `bytes ${asked.start}-${asked.end}/${size}`);
  reply.header('content-length', asked ? asked.end - asked.start + 1 : size);
  return isHead ? NOTHING() : read(asked ?? undefined);
}

/** A stream, since for HEAD the framework would set the length of anything else, and read a stream of bytes to its end. */
const NOTHING = () => Readable.from([]);
