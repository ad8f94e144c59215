import { pipeline, type Readable, Transform } from 'node:stream';
import { markErrorsHandled } from '../../lib/mark-handled.ts';
import { bucketTimeout } from './s3-client.ts';

const MIN_BYTES_PER_SECOND = 1_000;

/** How often the received bytes are looked at within the time limit. */
const CHECKS_PER_LIMIT = 4;

/**
 * Passes bytes on, and fails with a `TimeoutError` when fewer than 1,000 bytes per second arrived during `limitMs`.
 * Time in which the reader does not take the bytes that are there does not count.
 */
export function withMinimumRate(source: Readable, limitMs: number): Readable {
  let received = 0;
  let waitedMs = 0;
  const passed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      done(null, chunk);
    },
  });
  const intervalMs = limitMs / CHECKS_PER_LIMIT;
  const timer = setInterval(() => {
    if (passed.readableLength > 0 || received >= (limitMs / 1_000) * MIN_BYTES_PER_SECOND)
      [received, waitedMs] = [0, 0];
    else waitedMs += intervalMs;
    if (waitedMs >= limitMs) source.destroy(bucketTimeout(`sent fewer than ${MIN_BYTES_PER_SECOND} bytes per second`));
  }, intervalMs);
  timer.unref();
  pipeline(source, passed, () => clearInterval(timer));
  return markErrorsHandled(passed);
}
