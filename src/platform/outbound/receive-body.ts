import { pipeline, type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError, outboundError, tooLarge } from './outbound-error.ts';

/** What is to become of the body of an answer. */
export interface Receiving {
  encoding: string | undefined;
  /** Counted after decompression. */
  maxBytes: number;
  /** Whom errors name. */
  origin: string;
  /** Called once, when the body has ended in any way. */
  ended(): void;
}

/** The decompressed body. All of its errors are `OutboundError`; one that nobody reads harms nobody. */
export function receiveBody(body: Readable, { encoding, maxBytes, origin, ended }: Receiving): Readable {
  const received = limited(maxBytes, origin);
  pipeline([body, ...decoders(encoding), received], ended);
  return received;
}

/** Passes bytes on until there are too many of them, and makes an `OutboundError` of any error. */
function limited(maxBytes: number, origin: string): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
    destroy(error, done) {
      done(error && outboundError(error, origin));
    },
  });
}

/** Content codings (RFC 9110, 8.4.1) in the order in which they are to be undone, the last one first. */
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
