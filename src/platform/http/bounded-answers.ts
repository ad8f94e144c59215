import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AnswerMemory, rejectLong } from './answer-memory.ts';
import type { Pieces } from './pieces.ts';
import { printedOf } from './printed.ts';
import { lengthOfJson, lengthOfText, writeJson } from './write-json.ts';

/** Writes long JSON responses in pieces, within the memory for responses, and rejects those that are too large. */
export function boundAnswers(server: FastifyInstance, memory: AnswerMemory): void {
  server.addHook('preSerialization', (request, reply, payload, done) => {
    const printed = printedOf(payload);
    const length = printed === undefined ? lengthOfJson(payload) : lengthOfText(printed);
    if (length === 'short' && printed !== undefined) reply.serializer(givenFor(payload, printed));
    if (length === 'short') {
      done();
      return;
    }
    const send = (written: Buffer | Pieces) => {
      reply.serializer(givenFor(written, written));
      done(null, written);
    };
    if (length === 'medium') send(kept(printed ?? JSON.stringify(payload), request, reply, memory));
    else writeLong(payload, request, reply, memory).then(send, done);
  });
}

/** A serializer that is given the text of a body. An error that replaces the body is serialized as usual. */
const givenFor = (body: unknown, text: string | Buffer | Pieces) => (payload: unknown) =>
  payload === body ? (text as string) : JSON.stringify(payload); // hooks get bytes and pieces too

/** The bytes of a text, whose memory is counted until they are sent. A text would be encoded and copied once more then. */
function kept(text: string, request: FastifyRequest, reply: FastifyReply, memory: AnswerMemory): Buffer {
  const bytes = Buffer.from(text);
  memory.keep(bytes.length, request, reply);
  return bytes;
}

async function writeLong(
  payload: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  memory: AnswerMemory,
): Promise<Pieces> {
  const { maxBytes } = memory;
  const room = memory.room(request, reply);
  try {
    return await writeJson(payload, {
      maxBytes,
      onPiece: room.take,
      tooLong: () => rejectLong(request.method, maxBytes),
    });
  } catch (error) {
    room.release();
    throw error;
  }
}
