import { pipeline, type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { markErrorsHandled } from '../../lib/mark-handled.ts';
import { OutboundError, outboundError, responseTooLarge } from './outbound-error.ts';

/** Options for receiving the body of a response. */
export interface ResponseBodyOptions {
  encoding: string | undefined;
  /** Maximum size in bytes, after decompression. */
  maxBytes: number;
  /** Origin for error messages. */
  origin: string;
  /** Called once when the body ends or fails. */
  ended(): void;
}

/** The decompressed body. All of its errors are `OutboundError`. Errors of a body that is not read are ignored. */
export function receiveResponseBody(
  body: Readable,
  { encoding, maxBytes, origin, ended }: ResponseBodyOptions,
): Readable {
  const received = markErrorsHandled(limited(maxBytes, origin));
  pipeline([body, ...decoders(encoding), received], ended);
  return received;
}

/** Passes on up to `maxBytes` bytes, and converts errors to `OutboundError`. */
function limited(maxBytes: number, origin: string): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) done(responseTooLarge(maxBytes));
      else done(null, chunk);
    },
    destroy(error, done) {
      done(error && outboundError(error, origin));
    },
  });
}

/** Decoders for content codings (RFC 9110, 8.4.1), the last coding first. */
function decoders(encoding: string | undefined): Transform[] {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity');
  if (applied.length > MAX_CODINGS)
    throw new OutboundError('FETCH_ERROR', 'The response has too many content encodings.');
  return applied.toReversed().map(decoder);
}

const MAX_CODINGS = 2;

function decoder(coding: string): Transform {
  const make = DECODERS.get(coding);
  if (!make) throw new OutboundError('FETCH_ERROR', 'The response has an unsupported content encoding.');
  return make();
}

const DECODERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);
