import { ApiError } from '../../errors/errors.ts';

/** Maximum number of event streams per account (a user or an address) at a time in one process. */
const MAX_STREAMS = 20;

/** Maximum size of the body of a request that opens a stream, which keeps it in memory. */
const MAX_BODY_BYTES = 262_144;

/** Throws PAYLOAD_TOO_LARGE for a stream whose request has a larger body than streams can have. */
export function rejectLongBody({ bodyBytes }: { bodyBytes: number }): void {
  if (bodyBytes <= MAX_BODY_BYTES) return;
  throw new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The request of an event stream can have at most ${MAX_BODY_BYTES} bytes. Its body has ${bodyBytes}.`,
  );
}

/** Number of streams per account in this process. */
const streams = new Map<string, number>();

/** The error for subscriptions of an account without a free slot. */
export const tooManyStreams = () =>
  new ApiError('RATE_LIMITED', `You can have at most ${MAX_STREAMS} event streams at a time. Close one first.`, [], {
    retryAfterSeconds: 1,
  });

/** False if an account has too many streams. The slot is released when the response ends or the client disconnects. */
export function takeStreamSlot(account: string, disconnected: AbortSignal): boolean {
  if (disconnected.aborted) return true;
  const count = streams.get(account) ?? 0;
  if (count >= MAX_STREAMS) return false;
  streams.set(account, count + 1);
  disconnected.addEventListener('abort', () => {
    const rest = (streams.get(account) ?? 1) - 1;
    if (rest > 0) streams.set(account, rest);
    else streams.delete(account);
  });
  return true;
}
