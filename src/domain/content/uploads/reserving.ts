import { Transform } from 'node:stream';
import type { Context } from '../../../platform/context.ts';
import type { UploadRow } from './create-upload.ts';
import { MAX_UPLOAD_BYTES } from './limits.ts';
import { releaseBytes, reserveBytes } from './quota.ts';

/** Bytes of unknown number are reserved in steps. */
const STEP = 8 * 1024 * 1024;

/** What lets bytes pass as far as the quota of their uploader has room for them, counting them from the first one on. */
export interface Reserving {
  /** Fails with `PAYLOAD_TOO_LARGE` before the first byte that there is no room for. */
  stream: Transform;
  /** How many bytes are reserved at the moment. */
  reserved(): number;
  /** What was reserved was given back together with what became of the upload. */
  settled(): void;
  /** Gives all of it back. */
  release(): Promise<void>;
}

/** Reserves what the sender has declared, at once; without a declaration a part of what comes at a time. */
export async function reserving(ctx: Context, upload: UploadRow, declared: number | undefined): Promise<Reserving> {
  let [received, reserved] = [0, 0];
  const take = async (needed: number, wanted: number) => {
    reserved += await reserveBytes(ctx, upload, { needed, wanted });
  };
  await (declared === undefined ? take(1, STEP) : take(Math.max(1, declared), Math.max(1, declared)));
  const stream = new Transform({
    async transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      // More than an upload may have is refused by what stores it.
      const missing = Math.min(received, MAX_UPLOAD_BYTES) - reserved;
      try {
        if (missing > 0) await take(missing, Math.max(missing, STEP));
        done(null, chunk);
      } catch (error) {
        done(error as Error); // whatever it is, the stream ends with it
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
