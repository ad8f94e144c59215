import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asAccount } from '../../context/account.ts';
import { countedAccount } from '../caller.ts';
import { serializedOf } from '../serialized-body.ts';
import type { ResponseMemory } from './response-memory.ts';
import { isCounted, isLong, writeJson } from './write-json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the response is counted (`ResponseMemory.reserve`). */
    hasReservedMemory: boolean;
  }
}

/** Memory of a queued response besides its body: its headers and objects. */
const QUEUED_BYTES = 4_096;

/**
 * Counts the memory of JSON responses, rejects those that are too large, and yields while it writes long ones.
 * Responses of all routes that wait for another one of their connection count whatever their size. Register before
 * responses are compressed: their headers would be wrong for the error that replaces a response.
 */
export function limitResponses(server: FastifyInstance, memory: ResponseMemory): void {
  server.decorateRequest('hasReservedMemory', false);
  server.addHook('onSend', (request, reply, payload, done) => {
    // The system takes a short response, but only if it is the first of its connection. A client can send hundreds of
    // requests at once.
    if (reply.raw.socket === null) keepQueued(payload, request, reply, memory);
    done();
  });
  server.addHook('preSerialization', (request, reply, payload, done) => {
    const printed = serializedOf(payload);
    if (!isCounted(printed ?? payload)) {
      if (printed !== undefined) reply.serializer(serializerOf(payload, printed));
      done();
      return;
    }
    const send = (bytes: Buffer) => {
      reply.serializer(serializerOf(bytes, bytes));
      done(null, bytes);
    };
    if (printed === undefined && isLong(payload)) writeLong(payload, request, reply, memory).then(send, done);
    else send(counted(printed ?? JSON.stringify(payload), request, reply, memory));
  });
}

/**
 * Counts a response that has no socket yet, unless its route did. The route of a stream watches its client. An error
 * that replaces a response is not counted again.
 */
function keepQueued(payload: unknown, request: FastifyRequest, reply: FastifyReply, memory: ResponseMemory): void {
  if (request.hasReservedMemory || reply.raw.destroyed) return;
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isText && payload != null) return;
  memory.reserve(request, reply).grow(QUEUED_BYTES + (isText ? payload.length : 0));
}

/** A serializer that returns the given text of a body. An error that replaces the body is serialized as usual. */
const serializerOf = (body: unknown, text: string | Buffer) => (payload: unknown) =>
  payload === body ? (text as string) : JSON.stringify(payload); // hooks get bytes, too

/** The bytes of a text. Sending the text would encode and copy it once more. */
function counted(text: string, request: FastifyRequest, reply: FastifyReply, memory: ResponseMemory): Buffer {
  const bytes = Buffer.from(text);
  memory.reserveWhole(bytes.length, request, reply);
  return bytes;
}

async function writeLong(
  payload: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  memory: ResponseMemory,
): Promise<Buffer> {
  const reserved = memory.reserve(request, reply);
  let size = 0;
  try {
    const onPiece = (bytes: number) => {
      size += bytes;
      memory.checkSize(size, request);
      reserved.grow(bytes);
    };
    return await asAccount(countedAccount(request), () => writeJson(payload, onPiece));
  } catch (error) {
    reserved.release();
    throw error;
  }
}
