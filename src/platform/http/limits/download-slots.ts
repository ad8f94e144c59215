import type { FastifyReply } from 'fastify';
import type { Context } from '../../context/context.ts';
import { ApiError } from '../../errors/errors.ts';
import { FairSlots } from '../../fair-shares/fair-slots.ts';

/** Kinds of REST responses that are streams: a stored file, a PDF, or newline-delimited JSON. */
export type Streamed = 'stored' | 'printed' | 'lines';

/** Maximum number at a time in one process. */
interface DownloadBounds {
  atOnce: number;
  atOncePerOwner: number;
}

/**
 * A stored file occupies one of the 200 connections to the bucket, of which 50 stay free for uploads, imports and other
 * reads. PDFs wait for their printer, which has limits of its own. Lines are in memory by the thousand, about 2 MB.
 */
const BOUNDS: Record<Streamed, DownloadBounds> = {
  stored: { atOnce: 150, atOncePerOwner: 50 },
  printed: { atOnce: Number.POSITIVE_INFINITY, atOncePerOwner: 50 },
  lines: { atOnce: Number.POSITIVE_INFINITY, atOncePerOwner: 5 },
};

/** Browsers request all images of a page at once. */
const WAITING = 500;

const makeSlots = (bounds: DownloadBounds) =>
  new FairSlots({
    ...bounds,
    waitingPerOwner: WAITING,
    tooMany: new ApiError('RATE_LIMITED', 'You have too many downloads at a time. Wait for their responses.', [], {
      retryAfterSeconds: 1,
    }),
  });

const slots: Record<Streamed, FairSlots> = {
  stored: makeSlots(BOUNDS.stored),
  printed: makeSlots(BOUNDS.printed),
  lines: makeSlots(BOUNDS.lines),
};

/**
 * Waits until an account has fewer downloads of a kind than it can have, within the time limit of the request. The slot
 * is released when the response ends or the client disconnects.
 */
export async function takeDownloadSlot(
  kind: Streamed,
  account: string,
  { deadline }: Pick<Context, 'deadline'>,
  { raw }: FastifyReply,
): Promise<void> {
  const slot = await slots[kind].take(account, deadline?.signal);
  const release = () => slot[Symbol.dispose]();
  if (raw.destroyed) release();
  else raw.once('close', release);
}
