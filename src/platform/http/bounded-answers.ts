import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type ByteBudget, type Limits, meteredBudget, sharesIn } from './byte-budget.ts';
import { printedOf } from './printed.ts';
import { lengthOfJson, lengthOfText, writeJson } from './write-json.ts';

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
  server.addHook('preSerialization', (request, reply, payload, done) => {
    const printed = printedOf(payload);
    const length = printed === undefined ? lengthOfJson(payload) : lengthOfText(printed);
    if (length === 'short' && printed !== undefined) reply.serializer(givenFor(payload, printed));
    if (length === 'short') {
      done();
      return;
    }
    const bounds = { budget, limits, maxBytes };
    const send = (written: string | Buffer) => {
      reply.serializer(givenFor(written, written));
      done(null, written);
    };
    if (length === 'medium') send(held(printed ?? JSON.stringify(payload), request, reply, bounds));
    else writeLong(payload, request, reply, bounds).then(send, done);
  });
}

/** A serializer that is given the text of a body. An error that replaces the body is serialized as usual. */
const givenFor = (body: unknown, text: string | Buffer) => (payload: unknown) =>
  payload === body ? (text as string) : JSON.stringify(payload); // Fastify sends bytes too

interface Bounds {
  budget: ByteBudget;
  limits: Limits;
  maxBytes: number;
}

/** The bytes of a text, whose memory is counted until they are sent. A text would be encoded and copied once more then. */
function held(
  text: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { budget, limits, maxBytes }: Bounds,
): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > maxBytes) rejectLong(request.method, maxBytes);
  const hold = budget.hold(sharesIn(limits, request));
  if (!hold.grow(bytes.length)) throw new ApiError('SERVICE_UNAVAILABLE', BUSY);
  reply.raw.once('close', hold.release);
  return bytes;
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
