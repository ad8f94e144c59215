import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { linkSignals } from '../../lib/link-signals.ts';
import { markHandled } from '../../lib/mark-handled.ts';
import { userIdOf } from '../access/actor.ts';
import type { Authenticate } from '../access/authenticate.ts';
import { asAccount } from '../context/account.ts';
import type { Context } from '../context/context.ts';
import { RequestDeadline } from '../context/request-deadline.ts';
import type { StreamClient } from '../context/stream-client.ts';
import { abortable } from '../database/abortable.ts';
import { ApiError, unauthenticated } from '../errors/errors.ts';
import { countedAccount } from './caller.ts';
import type { ResponseMemory } from './limits/response-memory.ts';
import { sessionSecretOf } from './session-cookie.ts';

export const EVENT_STREAM = 'text/event-stream';

/** Headers of event streams. */
export const EVENT_STREAM_HEADERS = {
  'content-type': `${EVENT_STREAM}; charset=utf-8`,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

/** Proxies cut connections that are silent for long. A usual limit is 60 seconds. */
export const HEARTBEAT_MS = 15_000;

/** A comment of an event stream, which clients ignore. */
export const HEARTBEAT: Buffer = Buffer.from(':\n\n');

/** Makes the client of an event stream that answers a request. Called before the request is answered. */
export type MakeStreamClient = (request: FastifyRequest, reply: FastifyReply, ctx: Context) => StreamClient;

/** Aborted when the client of a response disconnects, and when it has been sent. */
export function disconnectSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  if (raw.destroyed) controller.abort();
  return controller.signal;
}

/** The frames of a stream, whose work is run by its client (`StreamClient.run`). */
export async function* framesFor<Frame>(
  { run }: Pick<StreamClient, 'run'>,
  frames: AsyncGenerator<Frame, void>,
): AsyncGenerator<Frame, void> {
  try {
    for (let next = await run(() => frames.next()); !next.done; next = await run(() => frames.next())) yield next.value;
  } finally {
    await run(() => frames.return());
  }
}

interface StreamClientParts {
  authenticate: Authenticate;
  config: Config;
  memory: ResponseMemory;
}

/** Returns what makes the clients of event streams. All streams end when the server closes. */
export function makeStreamClients(
  server: FastifyInstance,
  { authenticate, config, memory }: StreamClientParts,
): MakeStreamClient {
  const closing = new AbortController();
  server.addHook('preClose', async () => closing.abort());
  return (request, reply, ctx) => {
    const { authorization, 'last-event-id': lastEventId } = request.headers;
    const disconnected = disconnectSignal(reply);
    const beginning = Promise.withResolvers<void>();
    const account = countedAccount(request);
    const { signal } = linkSignals([closing.signal, disconnected]);
    return {
      account,
      bodyBytes: request.bodyBytes,
      run: workOf(ctx, account, signal),
      reserved: memory.reserve(request, reply),
      renew: async () => {
        const actor = await authenticate(authorization, sessionSecretOf(request, config));
        // A cookie whose session has ended is that of an anonymous caller.
        if (userIdOf(ctx.actor) !== userIdOf(actor)) throw unauthenticated('The session has ended. Sign in again.');
        return { ...ctx, actor };
      },
      disconnected,
      signal,
      begun: markHandled(beginning.promise),
      begin: beginning.resolve,
      ...(lastEventId && { lastEventId: String(lastEventId) }),
    };
  };
}

/** Runs work as part of a request that was answered, whose time limit is over: it is cancelled with `signal`. */
function workOf({ deadline, log }: Context, account: string, signal: AbortSignal): StreamClient['run'] {
  const work = deadline ?? new RequestDeadline(Number.POSITIVE_INFINITY);
  const end = () => work.cancel(new ApiError('SERVICE_UNAVAILABLE', 'The stream has ended.'));
  let isListening = false;
  return (act) => {
    if (!isListening) signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    isListening = true;
    return asAccount(account, () => abortable(work.signal, act, log));
  };
}
