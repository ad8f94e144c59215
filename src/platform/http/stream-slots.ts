import { ApiError } from '../errors.ts';

/** Maximum number of subscriptions per account (a user or an address) at a time in one process. */
const MAX_STREAMS = 20;

/** Number of streams per account in this process. */
const streams = new Map<string, number>();

/** Rejects accounts with too many streams. The slot is released when the client disconnects. */
export function takeStreamSlot(account: string, left: AbortSignal): void {
  if (left.aborted) return;
  const count = streams.get(account) ?? 0;
  if (count >= MAX_STREAMS) {
    throw new ApiError('RATE_LIMITED', `You can have at most ${MAX_STREAMS} subscriptions at a time. Close one first.`);
  }
  streams.set(account, count + 1);
  left.addEventListener('abort', () => {
    const rest = (streams.get(account) ?? 1) - 1;
    if (rest > 0) streams.set(account, rest);
    else streams.delete(account);
  });
}
