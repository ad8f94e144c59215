import { Readable } from 'node:stream';
import { Inflate, inflateSync } from 'fflate';

/** Number of compressed bytes per step. At the maximum ratio of DEFLATE (1,032 to 1) they inflate to about 4 MB. */
const STEP = 4_096;

/**
 * Inflates raw DEFLATE data (RFC 1951) while it is read. Destroying the stream destroys the source.
 *
 * Implemented in JavaScript, since ending a thread while it creates a stream of `node:zlib` aborts the whole process,
 * and threads that read archives are ended when their request is cancelled.
 */
export const inflate = (source: Readable): Readable => Readable.from(inflated(source), { objectMode: false });

/**
 * Inflates raw DEFLATE data of at most 64 KB to at most `size` bytes and one more, which says that there are too many. A
 * stream takes several times as long for data this small, and 100 KB of memory.
 */
export const inflateSmall = (bytes: Uint8Array, size: number): Uint8Array =>
  inflateSync(bytes, { out: new Uint8Array(size + 1) });

async function* inflated(source: Readable): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = [];
  const stream = new Inflate((chunk) => {
    made.push(chunk);
  });
  const push = (bytes: Uint8Array, isLast: boolean) => {
    made = [];
    stream.push(bytes, isLast);
    return made.filter(({ length }) => length > 0);
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length; from += STEP) yield* push(chunk.subarray(from, from + STEP), false);
  }
  yield* push(new Uint8Array(0), true);
}
