import { ApiError } from '../errors/errors.ts';
import { FairSlots } from '../fair-shares/fair-slots.ts';

/**
 * Makes the slots of operations that read hundreds of objects. They hold their rows and results until the response is
 * written: more of them at a time are no faster, since they share one event loop, but enlarge the heap.
 */
export const makeQuerySlots = (): FairSlots =>
  new FairSlots({
    atOnce: 10,
    atOncePerOwner: 8,
    waiting: 1_000,
    waitingPerOwner: 500,
    tooMany: new ApiError('RATE_LIMITED', 'You have too many queries at a time. Wait for their responses.', [], {
      retryAfterSeconds: 1,
    }),
    batches: true,
  });
