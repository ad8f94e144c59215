import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Supported codings, best first. */
const CODINGS = ['br', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

/** Minimum length in UTF-16 units. Compression makes shorter responses hardly smaller. */
const MIN_LENGTH = 1_024;

/**
 * Compresses JSON and pages if the client accepts it. Streams (files, events) are not compressed. Entity tags get a
 * suffix per coding, since they identify the encoded bytes (RFC 9110, 8.8.3.3).
 */
export function compressResponses(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const tags = request.headers['if-none-match'];
    // Routes compare entity tags without the suffix. `raw` keeps the original header.
    if (tags && ENCODED_TAG.test(tags)) request.headers = { 'if-none-match': tags.replaceAll(ENCODED_TAG, '"') };
    done();
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 304) renameTag(reply, (tag) => tagAmong(request.raw.headers['if-none-match'], tag));
    if (!isCompressed(payload, reply) || payload.length < MIN_LENGTH) {
      done();
      return;
    }
    const vary = String(reply.getHeader('vary') ?? '');
    if (!/accept-encoding/i.test(vary)) reply.header('vary', [...(vary ? [vary] : []), 'Accept-Encoding'].join(', '));
    const coding = codingFor(request.headers['accept-encoding']);
    if (!coding) {
      done();
      return;
    }
    reply.header('content-encoding', coding);
    renameTag(reply, (tag) => encodedTag(tag, coding));
    encode(payload, coding).then((encoded) => done(null, encoded), done);
  });
}

/** The best supported coding that a client accepts (RFC 9110, 12.5.3), or undefined. */
export function codingFor(acceptEncoding: string | string[] | undefined): Coding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const accepted = new Set(
    String(acceptEncoding)
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(';', 1)[0]?.trim()),
  );
  return CODINGS.find((coding) => accepted.has(coding));
}

const brotli = promisify<Buffer, object, Buffer>(brotliCompress);
const gzipped = promisify<Buffer, object, Buffer>(gzip);

/** From this size on, clients would wait longer for better compression than for the few more bytes. */
const LARGE = 262_144;

/**
 * `quality` is that of Brotli, 0 to 11; 4 takes as long as gzip usually does. Large texts are compressed by the
 * quickest level that makes them small: for JSON, a quarter of the time, and up to a tenth more bytes.
 */
export function encode(text: string | Buffer, coding: Coding, quality?: number): Promise<Buffer> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const isLarge = bytes.length >= LARGE;
  if (coding === 'gzip') return gzipped(bytes, { level: isLarge ? 1 : constants.Z_DEFAULT_COMPRESSION });
  const params = { [BROTLI_PARAM_QUALITY]: quality ?? (isLarge ? 1 : 4), [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotli(bytes, { params });
}

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;

/** Strings, and long JSON. Other bytes are already compressed, or are not compressible. */
function isCompressed(payload: unknown, reply: FastifyReply): payload is string | Buffer {
  const type = String(reply.getHeader('content-type'));
  if (typeof payload === 'string') return /json|^text\/(?!event-stream)/.test(type);
  return Buffer.isBuffer(payload) && /json/.test(type) && !reply.hasHeader('content-encoding');
}

const ENCODED_TAG = /-(br|gzip)"/g;

const encodedTag = (tag: string, coding: Coding) => tag.replace(/"$/, `-${coding}"`);

/** The entity tag in the form that the client sent. */
const tagAmong = (ifNoneMatch: string | undefined, tag: string) =>
  CODINGS.map((coding) => encodedTag(tag, coding)).find((encoded) => ifNoneMatch?.includes(encoded)) ?? tag;

function renameTag(reply: FastifyReply, rename: (tag: string) => string): void {
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string') reply.header('etag', rename(tag));
}
