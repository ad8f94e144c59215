import type { Readable } from 'node:stream';
import { fewPerTurn } from '../../lib/few-per-turn.ts';
import { GrowingBytes } from '../../lib/growing-bytes.ts';
import { ApiError } from '../errors.ts';
import type { Hold } from './byte-budget.ts';

export interface BodyBounds {
  maxBytes: number;
  /** The length that the sender has declared, 0 if none. */
  declaredBytes: number;
  /** Message of the error for larger bodies. */
  tooLarge: string;
  /** Time limit for receiving the body, in milliseconds. Without it, only the limit of the server applies. */
  arrivalMs?: number | undefined;
  /** Counts the memory of the body. */
  hold: Hold;
}

/** Many bodies that stall can be late at the same time. Each answer takes about half a millisecond. */
const fewLate = fewPerTurn(8);

/** Reads a body into one buffer. */
export function receiveBody(source: Readable, bounds: BodyBounds): Promise<Buffer> {
  const { maxBytes, declaredBytes, tooLarge, arrivalMs, hold } = bounds;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const body = new GrowingBytes(maxBytes, hold.grow, declaredBytes);
  let isSettled = false;
  const onData = (chunk: Buffer) => {
    if (body.length + chunk.length > maxBytes) return fail(new ApiError('PAYLOAD_TOO_LARGE', tooLarge));
    if (!body.add(chunk)) fail(new ApiError('SERVICE_UNAVAILABLE', BUSY));
  };
  const onEnd = () => settle(() => resolve(body.bytes));
  const fail = (apiError: ApiError) => {
    // The rest of a late body can arrive before its turn to be refused.
    if (isSettled) return;
    settle(() => reject(apiError));
    body.free();
  };
  const cut = () => fail(new ApiError('BAD_USER_INPUT', 'The body is incomplete.'));
  const expire = (limitMs: number) => void fewLate().then(() => fail(late(limitMs)), cut);
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

const BUSY = 'The service does not have enough memory for this request right now. Try again later.';

const late = (arrivalMs: number) =>
  new ApiError('REQUEST_TIMEOUT', `The body did not arrive within ${arrivalMs / 1_000} seconds.`);
