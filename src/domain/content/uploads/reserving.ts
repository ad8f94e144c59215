import { Transform } from 'node:stream';
import type { Context } from '../../../platform/context/context.ts';
import type { UploadRow } from './create-upload.ts';
import { MAX_UPLOAD_BYTES } from './limits.ts';
import { releaseBytes, reserveBytes } from './quota.ts';

/** Without a declared size, bytes are reserved in steps. */
const STEP_BYTES = 8 * 1024 * 1024;

/** A stream that passes bytes on as long as the quota of their uploader allows, with the state of the reservation. */
export interface Reserving {
  /** Fails with `PAYLOAD_TOO_LARGE` before the first byte that exceeds the quota. */
  stream: Transform;
  /** Number of bytes that are currently reserved. */
  reserved(): number;
  /**
   * Keeps `release` from releasing the reservation: storing the upload has released it, or the bytes are to be counted.
   */
  settled(): void;
  /** Releases the whole reservation. */
  release(): Promise<void>;
}

/** Reserves the declared size at once, or without a declared size in steps as bytes arrive. */
export async function reserving(ctx: Context, upload: UploadRow, declared: number | undefined): Promise<Reserving> {
  let [received, reserved] = [0, 0];
  const take = async (needed: number, preferred: number) => {
    reserved += await reserveBytes(ctx, upload, { needed, preferred });
  };
  await (declared === undefined ? take(1, STEP_BYTES) : take(Math.max(1, declared), Math.max(1, declared)));
  const stream = new Transform({
    async transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      // Storage rejects uploads over the maximum size.
      const missing = Math.min(received, MAX_UPLOAD_BYTES) - reserved;
      try {
        if (missing > 0) await take(missing, Math.max(missing, STEP_BYTES));
        done(null, chunk);
      } catch (error) {
        done(error as Error); // any error ends the stream
      }
    },
  });
  const release = async () => {
    await releaseBytes(ctx, upload.id, reserved);
    reserved = 0;
  };
  const settled = () => {
    reserved = 0;
  };
  return { stream, reserved: () => reserved, settled, release };
}

/**
 * Passes bytes on without reserving room for them: they are compared, and not stored. More than `size` is another file.
 */
export function withoutReservation(size: number, isOther: () => Error): Reserving {
  let received = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > size) done(isOther());
      else done(null, chunk);
    },
  });
  return { stream, reserved: () => 0, settled() {}, release: async () => {} };
}
