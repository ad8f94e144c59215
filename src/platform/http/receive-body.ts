import type { Readable } from 'node:stream';
import { fewPerTurn } from '../../lib/few-per-turn.ts';
import { ApiError } from '../errors.ts';
import type { Hold } from './byte-budget.ts';

export interface BodyBounds {
  maxBytes: number;
  /** Message of the error for larger bodies. */
  tooLarge: string;
  /** Time limit for receiving the body, in milliseconds. Without it, only the limit of the server applies. */
  arrivalMs?: number | undefined;
  /** Counts the memory of the body. */
  hold: Hold;
}

const FIRST_BYTES = 4_096;

/** Many bodies that stall can be late at the same time. Each answer takes about half a millisecond. */
const fewLate = fewPerTurn(8);

/**
 * Reads a body into one buffer. Chunks are copied at once, since a list of chunks takes more than a hundred bytes for
 * each, and a client can make every chunk one byte long.
 */
export function receiveBody(source: Readable, bounds: BodyBounds): Promise<Buffer> {
  const { maxBytes, tooLarge, arrivalMs, hold } = bounds;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let bytes: Buffer = Buffer.alloc(0);
  let length = 0;
  let isSettled = false;
  const onData = (chunk: Buffer) => {
    const wanted = length + chunk.length;
    if (wanted > maxBytes) return fail(new ApiError('PAYLOAD_TOO_LARGE', tooLarge));
    if (wanted > bytes.length && !makeRoom(wanted)) return fail(new ApiError('SERVICE_UNAVAILABLE', BUSY));
    length += chunk.copy(bytes, length);
  };
  const makeRoom = (wanted: number) => {
    const size = Math.min(maxBytes, Math.max(FIRST_BYTES, 2 * bytes.length, wanted));
    if (!hold.grow(size - bytes.length)) return false;
    const larger = Buffer.allocUnsafeSlow(size);
    bytes.copy(larger, 0, 0, length);
    freeBytes(bytes);
    bytes = larger;
    return true;
  };
  const onEnd = () => settle(() => resolve(bytes.subarray(0, length)));
  const fail = (apiError: ApiError) => {
    // The rest of a late body can arrive before its turn to be refused.
    if (isSettled) return;
    settle(() => reject(apiError));
    freeBytes(bytes);
  };
  const cut = () => fail(new ApiError('BAD_USER_INPUT', 'The body is incomplete.'));
  const expire = (limitMs: number) => fewLate().then(() => fail(late(limitMs)));
  const timer = arrivalMs === undefined ? undefined : setTimeout(expire, arrivalMs, arrivalMs);
  const settle = (finish: () => void) => {
    isSettled = true;
    clearTimeout(timer);
    source.off('data', onData).off('end', onEnd).off('error', cut).off('close', cut);
    finish();
  };
  source.on('data', onData).on('end', onEnd).on('error', cut).on('close', cut);
  return promise;
}

/**
 * Frees the memory of large bytes at once instead of with the next garbage collection, which megabytes of them would
 * cause. The bytes are empty afterwards. They must own their memory.
 */
export function freeBytes({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= LARGE) buffer.transfer(0);
}

/** Smaller memory can be part of Node's pool. */
const LARGE = 131_072;

const BUSY = 'The service does not have enough memory for this request right now. Try again later.';

const late = (arrivalMs: number) =>
  new ApiError('REQUEST_TIMEOUT', `The body did not arrive within ${arrivalMs / 1_000} seconds.`);
