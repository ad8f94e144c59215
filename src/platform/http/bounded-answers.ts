import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type ByteBudget, type Limits, meteredBudget, sharesIn } from './byte-budget.ts';
import { isShortJson, writeJson } from './write-json.ts';

/**
 * Writes long JSON responses in pieces and rejects those of more than `maxBytes`. The memory for responses to slow
 * clients is limited per process, per caller and for all anonymous callers together; requests beyond the limits get
 * 503.
 */
export function boundAnswers(
  server: FastifyInstance,
  maxBytes: number,
  { heldBytes }: Pick<Metrics, 'heldBytes'>,
): void {
  const budget = meteredBudget(heldBytes, 'answers');
  const limits: Limits = { all: 6 * maxBytes, caller: 2 * maxBytes, anonymous: 3 * maxBytes, address: 2 * maxBytes };
  server.addHook('preSerialization', async (request, reply, payload) => {
    if (isShortJson(payload)) return payload;
    const bytes = await writeLong(payload, request, reply, { budget, limits, maxBytes });
    reply.serializer((written: string) => written);
    return bytes;
  });
}

interface Bounds {
  budget: ByteBudget;
  limits: Limits;
  maxBytes: number;
}

async function writeLong(
  payload: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { budget, limits, maxBytes }: Bounds,
): Promise<Buffer> {
  const hold = budget.hold(sharesIn(limits, request));
  reply.raw.once('close', hold.release);
  const onPiece = (length: number) => {
    if (reply.raw.destroyed) throw new ApiError('SERVICE_UNAVAILABLE', 'The client disconnected.');
    if (!hold.grow(length)) throw new ApiError('SERVICE_UNAVAILABLE', BUSY);
  };
  try {
    return await writeJson(payload, { maxBytes, onPiece, tooLong: () => rejectLong(request.method, maxBytes) });
  } catch (error) {
    hold.release();
    throw error;
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
