import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admitsRange, type ByteRange, byteRange, isNotModified } from './conditional-requests.ts';

/** A file to send: its metadata, and functions that read all or part of it. */
export interface Bytes {
  /** Strong entity tag, including the quotes. */
  etag: string;
  size: number;
  read(range?: ByteRange): Promise<Readable>;
}

/**
 * The response to GET or HEAD, to be returned by a route: 304 if the client has the file, 206 or 416 for a single
 * range, 200 otherwise. Set the headers that describe the file before.
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
  // Ranges are only defined for GET (RFC 9110, 14.2).
  const range = !isHead && admitsRange(headers['if-range'], etag) ? byteRange(headers.range, size) : null;
  if (range === 'unsatisfiable') {
    reply.status(416).header('content-range', `bytes */${size}`).header('cache-control', 'no-store');
    return undefined;
  }
  if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  reply.header('content-length', range ? range.end - range.start + 1 : size);
  if (isHead) return NOTHING();
  try {
    return await read(range ?? undefined);
  } catch (error) {
    for (const name of OF_FILE) reply.removeHeader(name);
    throw error;
  }
}

/** Headers that describe the file, and not the error that is sent instead. */
const OF_FILE = ['accept-ranges', 'content-disposition', 'content-length', 'content-range', 'etag'];

/**
 * A stream, since the framework would set the length of any other body, and would read the stream of a file to its end.
 */
const NOTHING = () => Readable.from([]);
