import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReservedMemory } from '../../context/stream-client.ts';
import { ApiError } from '../../errors/errors.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { type ByteBudget, type Limits, meteredBudget, reserveFor } from './byte-budget.ts';
import { closeStalledResponse } from './close-stalled-response.ts';

/**
 * Time from the start of a response after which it can be evicted for a caller who has less memory, in milliseconds.
 */
const EVICTABLE_AFTER_MS = 3_000;

/**
 * The memory for responses to slow clients, limited per process, per caller and for all anonymous callers together.
 * When it is full, the caller with the most of it loses the oldest response that waits for its client, so that a few
 * callers cannot keep it. Requests beyond the limits get 503. Connections of clients that do not read are closed.
 */
export class ResponseMemory {
  /** Maximum size of a response. */
  readonly maxBytes: number;
  readonly #budget: ByteBudget;
  readonly #limits: Limits;

  constructor(maxBytes: number, { heldBytes }: Pick<Metrics, 'heldBytes'>) {
    this.maxBytes = maxBytes;
    this.#budget = meteredBudget(heldBytes, 'answers');
    this.#limits = { all: 6 * maxBytes, caller: 2 * maxBytes, anonymous: 3 * maxBytes, address: 2 * maxBytes };
  }

  /** Returns memory for a response whose size is not known yet. */
  reserve(request: FastifyRequest, reply: FastifyReply): ReservedMemory {
    request.hasReservedMemory = true;
    const began = performance.now();
    const evict = () => {
      const isWaiting = reply.raw.headersSent && performance.now() - began >= EVICTABLE_AFTER_MS;
      if (!isWaiting) return false;
      reservation.end();
      request.raw.socket.resetAndDestroy();
      return true;
    };
    const reservation = reserveFor(request, reply, { budget: this.#budget, limits: this.#limits, evict });
    closeStalledResponse(request, reply);
    return {
      grow: (bytes) => {
        if (reply.raw.destroyed) throw new ApiError('SERVICE_UNAVAILABLE', 'The client disconnected.');
        if (!reservation.grow(bytes)) throw new ApiError('SERVICE_UNAVAILABLE', BUSY);
      },
      release: reservation.release,
    };
  }

  /** Reserves the memory of a whole response. Throws QUERY_TOO_COMPLEX if it is larger than responses can be. */
  reserveWhole(bytes: number, request: FastifyRequest, reply: FastifyReply): void {
    this.checkSize(bytes, request);
    this.reserve(request, reply).grow(bytes);
  }

  /** Throws QUERY_TOO_COMPLEX for responses that are larger than they can be. */
  checkSize(bytes: number, { method }: FastifyRequest): void {
    if (bytes > this.maxBytes) rejectLargeResponse(method, this.maxBytes);
  }
}

const BUSY = 'The service does not have enough memory for this response right now. Try again later.';

/** The error for a response of more than `maxBytes`. */
export function rejectLargeResponse(method: string, maxBytes: number): never {
  const isDone = method === 'GET' || method === 'HEAD' ? '' : ' Changes made by the request, if any, are saved.';
  const megabytes = Math.floor(maxBytes / 1_000_000);
  throw new ApiError(
    'QUERY_TOO_COMPLEX',
    `The response is larger than ${megabytes} MB. Request less data at a time.${isDone}`,
  );
}
