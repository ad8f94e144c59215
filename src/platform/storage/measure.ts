import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { ApiError } from '../errors/errors.ts';
import type { StoredBlob } from './storage.ts';

/** A pass-through stream. `blob` describes the bytes after they have ended. */
export interface Measure {
  stream: Transform;
  blob(): StoredBlob;
}

/** Hashes and counts bytes. Fails with `PAYLOAD_TOO_LARGE` beyond `maxBytes`. */
export function measure(maxBytes: number): Measure {
  const digest = createHash('sha256');
  let size = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) {
        done(new ApiError('PAYLOAD_TOO_LARGE', `The file is larger than the allowed ${maxBytes} bytes.`));
        return;
      }
      digest.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, blob: () => ({ hash: digest.digest(), size }) };
}
