import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asAccount } from '../../context/account.ts';
import { countedAccount } from '../caller.ts';
import { serializedOf } from '../serialized-body.ts';
import type { ResponseMemory } from './response-memory.ts';
import { isCounted, isLong, writeJson } from './write-json.ts';

/** Counts the memory of JSON responses, rejects those that are too large, and yields while it writes long ones. */
export function limitResponses(server: FastifyInstance, memory: ResponseMemory): void {
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

/** A serializer that returns the given text of a body. An error that replaces the body is serialized as usual. */
const serializerOf = (body: unknown, text: string | Buffer) => (payload: unknown) =>
  payload === body ? (text as string) : JSON.stringify(payload); // hooks get bytes, too

/** The bytes of a text. Sending the text would encode and copy it once more. */
function counted(text: string, request: FastifyRequest, reply: FastifyReply, memory: ResponseMemory): Buffer {
  const bytes = Buffer.from(text);
  memory.keep(bytes.length, request, reply);
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
      reserved.take(bytes);
    };
    return await asAccount(countedAccount(request), () => writeJson(payload, onPiece));
  } catch (error) {
    reserved.release();
    throw error;
  }
}
