import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { GrowingBytes } from '../../../lib/growing-bytes.ts';
import { ApiError } from '../../errors/errors.ts';
import type { Reservation } from './byte-budget.ts';

export interface BodyBounds {
  maxBytes: number;
  /** The length that the client has declared, 0 if none. */
  declaredBytes: number;
  /** Message of the error for larger bodies. */
  tooLarge: string;
  /** Time limit for receiving the body, in milliseconds. Without it, only the limit of the server applies. */
  arrivalMs?: number | undefined;
  /** Counts the memory of the body. */
  reservation: Reservation;
  /**
   * Resolves when a late body may be refused, so that many that are late together do not fill a tick. Undefined: at
   * once.
   */
  enter(): Promise<void> | undefined;
}

/** Reads a body into one buffer. */
export function receiveBody(source: Readable, bounds: BodyBounds): Promise<Buffer> {
  const { maxBytes, declaredBytes, tooLarge, arrivalMs, reservation, enter } = bounds;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const body = new GrowingBytes(maxBytes, reservation.grow, declaredBytes);
  let isSettled = false;
  const onData = (chunk: Buffer) => {
    if (body.length + chunk.length > maxBytes) return fail(new ApiError('PAYLOAD_TOO_LARGE', tooLarge));
    if (!body.add(chunk)) fail(new ApiError('SERVICE_UNAVAILABLE', BUSY));
  };
  const onEnd = () => settle(() => resolve(body.bytes));
  const fail = (apiError: ApiError) => {
    // The rest of a late body can arrive before it is refused.
    if (isSettled) return;
    settle(() => reject(apiError));
    body.free();
  };
  const cut = () => fail(new ApiError('BAD_USER_INPUT', 'The body is incomplete.'));
  const expire = async (limitMs: number) => {
    await enter();
    fail(late(limitMs));
  };
  const timer = arrivalMs === undefined ? undefined : setTimeout(() => void expire(arrivalMs).catch(cut), arrivalMs);
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

/** Time for which the client can go on sending after the response, in order to reach the point where it reads it. */
const LINGER_MS = 5_000;

/**
 * Discards the rest of a request body. If the connection were cut at once, the client would see a broken connection
 * instead of the response. The connection is cut if the client keeps sending for too long.
 */
export function discardBody(source: IncomingMessage): void {
  if (source.complete || source.destroyed) return;
  source.resume();
  const timer = setTimeout(() => {
    if (!source.complete) source.destroy();
  }, LINGER_MS);
  timer.unref();
}
