import { ApiError } from '../errors.ts';

/** A user, with however many tokens, or an address has at most so many subscriptions at a time in one process. */
const MAX_STREAMS = 20;

/** How many streams each account has here. */
const streams = new Map<string, number>();

/** Refuses an account that has too many streams; the place is given back when the client has left. */
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
