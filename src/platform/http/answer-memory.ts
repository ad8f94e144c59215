import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type ByteBudget, holdFor, type Limits, meteredBudget } from './byte-budget.ts';
import { cutUnread } from './cut-unread.ts';

/** Memory for one response. It is given back when the response is sent or the client disconnects. */
export interface Room {
  /** Takes more bytes. Throws SERVICE_UNAVAILABLE if there are not enough, or the client has disconnected. */
  take(bytes: number): void;
  /** Gives back all bytes before the end. */
  release(): void;
}

/**
 * How long a response may wait for its client before it has to give way to one of a caller who has less memory, in
 * milliseconds, counted from when it began to be written.
 */
const GIVES_WAY_AFTER_MS = 3_000;

/**
 * The memory for responses to slow clients: limited per process, per caller and for all anonymous callers together. Where
 * it is used up, the caller with the most of it loses its oldest response that waits for its client, so that a few callers
 * cannot keep it. Requests beyond the limits get 503. Clients that do not read are cut off.
 */
export class AnswerMemory {
  /** Maximum size of a response. */
  readonly maxBytes: number;
  readonly #budget: ByteBudget;
  readonly #limits: Limits;

  constructor(maxBytes: number, { heldBytes }: Pick<Metrics, 'heldBytes'>) {
    this.maxBytes = maxBytes;
    this.#budget = meteredBudget(heldBytes, 'answers');
    this.#limits = { all: 6 * maxBytes, caller: 2 * maxBytes, anonymous: 3 * maxBytes, address: 2 * maxBytes };
  }

  /** Room for a response whose size is not known yet. */
  room(request: FastifyRequest, reply: FastifyReply): Room {
    const began = performance.now();
    const giveWay = () => {
      const isWaiting = reply.raw.headersSent && performance.now() - began >= GIVES_WAY_AFTER_MS;
      if (isWaiting) hold.end();
      if (isWaiting) request.raw.socket.resetAndDestroy();
      return isWaiting;
    };
    const hold = holdFor(request, reply, { budget: this.#budget, limits: this.#limits, giveWay });
    cutUnread(request, reply);
    return {
      take: (bytes) => {
        if (reply.raw.destroyed) throw new ApiError('SERVICE_UNAVAILABLE', 'The client disconnected.');
        if (!hold.grow(bytes)) throw new ApiError('SERVICE_UNAVAILABLE', BUSY);
      },
      release: hold.release,
    };
  }

  /** Takes the memory for a whole response. Throws QUERY_TOO_COMPLEX if it is larger than responses can be. */
  keep(bytes: number, request: FastifyRequest, reply: FastifyReply): void {
    this.checkSize(bytes, request);
    this.room(request, reply).take(bytes);
  }

  /** Throws QUERY_TOO_COMPLEX for responses that are larger than they can be. */
  checkSize(bytes: number, { method }: FastifyRequest): void {
    if (bytes > this.maxBytes) rejectLong(method, this.maxBytes);
  }
}

const BUSY = 'The service does not have enough memory for this response right now. Try again later.';

/** The error for a response of more than `maxBytes`. */
export function rejectLong(method: string, maxBytes: number): never {
  const isDone = method === 'GET' || method === 'HEAD' ? '' : ' Changes made by the request, if any, are saved.';
  const megabytes = Math.floor(maxBytes / 1_000_000);
  throw new ApiError(
    'QUERY_TOO_COMPLEX',
    `The response is larger than ${megabytes} MB. Request less data at a time.${isDone}`,
  );
}
