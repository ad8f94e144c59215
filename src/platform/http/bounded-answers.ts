import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type ByteBudget, meteredBudget, type Room, sharesIn } from './byte-budget.ts';
import { isShortJson, writeJson } from './write-json.ts';

/**
 * Writes long JSON answers in pieces, and refuses those of more than `maxBytes`. What is held for clients that are slow to
 * read is bounded in the process, for each caller and for all anonymous ones together; what is beyond is 503.
 */
export function boundAnswers(
  server: FastifyInstance,
  maxBytes: number,
  { heldBytes }: Pick<Metrics, 'heldBytes'>,
): void {
  const budget = meteredBudget(heldBytes, 'answers');
  const room: Room = { all: 6 * maxBytes, caller: 2 * maxBytes, anonymous: 3 * maxBytes, address: 2 * maxBytes };
  server.addHook('preSerialization', async (request, reply, payload) => {
    if (isShortJson(payload)) return payload;
    const bytes = await writeLong(payload, request, reply, { budget, room, maxBytes });
    reply.serializer((written: string) => written);
    return bytes;
  });
}

interface Bounds {
  budget: ByteBudget;
  room: Room;
  maxBytes: number;
}

async function writeLong(
  payload: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { budget, room, maxBytes }: Bounds,
): Promise<Buffer> {
  const hold = budget.hold(sharesIn(room, request));
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

/** What is answered in place of more than `maxBytes`. */
export function rejectLong(method: string, maxBytes: number): never {
  const isDone = method === 'GET' || method === 'HEAD' ? '' : ' Changes of the request, if any, were made.';
  const megabytes = Math.floor(maxBytes / 1_000_000);
  throw new ApiError(
    'QUERY_TOO_COMPLEX',
    `The response is larger than ${megabytes} MB. Request less data at a time.${isDone}`,
  );
}
