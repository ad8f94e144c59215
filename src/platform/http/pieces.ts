import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { makePause } from '../../lib/pause.ts';

/** A long body in pieces, which are never copied into one buffer. */
export class Pieces {
  readonly list: readonly Buffer[];
  /** In bytes. */
  readonly length: number;

  constructor(list: readonly Buffer[]) {
    this.list = list;
    this.length = list.reduce((sum, { length }) => sum + length, 0);
  }
}

/** Size in bytes of a body that is sent at once: the system takes it in a few milliseconds. */
const SENT_AT_ONCE = 1_048_576;

/** Size in bytes of the pieces of longer ones. */
const PIECE = 131_072;

/** Sends long bodies in pieces, between which the event loop runs. To be called after what changes bodies. */
export function sendInPieces(server: FastifyInstance): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    const pieces = piecesOf(payload);
    if (!pieces) {
      done();
      return;
    }
    reply.header('content-length', pieces.length);
    done(null, Readable.from(inTurns(pieces), { objectMode: false }));
  });
}

function piecesOf(payload: unknown): Pieces | undefined {
  if (payload instanceof Pieces) return payload;
  if (typeof payload === 'string' && payload.length > SENT_AT_ONCE) return divided(Buffer.from(payload));
  return Buffer.isBuffer(payload) && payload.length > SENT_AT_ONCE ? divided(payload) : undefined;
}

function divided(bytes: Buffer): Pieces {
  const list: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) list.push(bytes.subarray(at, at + PIECE));
  return new Pieces(list);
}

async function* inTurns({ list }: Pieces): AsyncGenerator<Buffer> {
  const pause = makePause();
  for (const piece of list) {
    await pause();
    yield piece;
  }
}
