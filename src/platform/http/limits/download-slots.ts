import type { FastifyReply } from 'fastify';
import type { Context } from '../../context/context.ts';
import { ApiError } from '../../errors/errors.ts';
import { FairSlots } from '../../fair-shares/fair-slots.ts';

/** Kinds of REST responses that are streams: a file, or newline-delimited JSON. */
export type Streamed = 'bytes' | 'lines';

/**
 * At a time per account in one process. A file occupies a connection to the bucket, of which there are 200. Lines are in memory by the
 * thousand, about 2 MB.
 */
const SLOTS_PER_ACCOUNT = { bytes: 50, lines: 5 };

/** Browsers request all images of a page at once. */
const WAITING = 500;

const makeSlots = (atOncePerOwner: number) =>
  new FairSlots({
    atOnce: Number.POSITIVE_INFINITY,
    atOncePerOwner,
    waitingPerOwner: WAITING,
    tooMany: new ApiError('RATE_LIMITED', 'You have too many downloads at a time. Wait for their responses.', [], {
      retryAfterSeconds: 1,
    }),
  });

const slots: Record<Streamed, FairSlots> = {
  bytes: makeSlots(SLOTS_PER_ACCOUNT.bytes),
  lines: makeSlots(SLOTS_PER_ACCOUNT.lines),
};

/**
 * Waits until an account has fewer downloads of a kind than it can have, within the time limit of the request. The slot is released
 * when the response ends or the client disconnects.
 */
export async function takeDownloadSlot(
  kind: Streamed,
  account: string,
  { deadline }: Pick<Context, 'deadline'>,
  { raw }: FastifyReply,
): Promise<void> {
  const slot = await slots[kind].take(account, deadline?.cancellation);
  const release = () => slot[Symbol.dispose]();
  if (raw.destroyed) release();
  else raw.once('close', release);
}
