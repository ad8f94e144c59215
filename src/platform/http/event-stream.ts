import { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAsyncIterable, type Plugin, processRegularResult } from 'graphql-yoga';
import type { Actor } from '../access/actor.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { formatError } from '../graphql/errors.ts';
import type { Result } from '../graphql/result.ts';
import type { GraphQLAnswer } from '../graphql/run-graphql.ts';
import type { Follower, ServerContext } from '../graphql/server-context.ts';

export const EVENT_STREAM = 'text/event-stream';

/** A caller has at most so many subscriptions at a time in one process. */
const MAX_STREAMS = 20;

/** Proxies cut connections that are silent for long; 60 seconds is a usual limit. */
const HEARTBEAT_MS = 15_000;

/** How many streams each caller has here. */
const streams = new Map<string, number>();

/**
 * Answers by server-sent events (GraphQL over Server-Sent Events, "Distinct connections mode"): `next` for each answer,
 * and `complete` when there will be no more. A service that stops ends the stream without `complete`, and the client comes
 * back with `Last-Event-ID`. Yoga's own streams name no events, and do not ask again who the caller is.
 *
 * What is neither a stream nor accepted by the client is sent as JSON: it has been executed already.
 */
export const useEventStreams: Plugin<object, ServerContext> = {
  onResultProcess({ result, resultProcessor, setResultProcessor, serverContext: { ctx, ways, follower } }) {
    if (resultProcessor === processRegularResult) return;
    if (!ways.streamed || !follower) {
      setResultProcessor(processRegularResult, 'application/json');
      return;
    }
    if (isAsyncIterable(result)) takeSlot(ctx.actor, follower.left);
    const frames = isAsyncIterable(result)
      ? subscriptionFrames(result as AsyncGenerator<GraphQLAnswer, void>, { ctx, ...follower }) // the engine's
      : next(result as Result) + COMPLETE; // batches are refused
    setResultProcessor(() => streamOf(frames), EVENT_STREAM);
  },
};

function streamOf(frames: AsyncIterable<string> | string): Response {
  const body = typeof frames === 'string' ? frames : (ReadableStream.from(encoded(frames)) as BodyInit);
  return new Response(body, {
    headers: {
      'content-type': `${EVENT_STREAM}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

async function* encoded(frames: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const frame of frames) yield Buffer.from(frame);
}

/** Refuses a caller who has too many streams; the place is given back when the client has left. */
function takeSlot(actor: Actor, left: AbortSignal): void {
  if (left.aborted) return;
  const caller = actor.kind === 'user' ? (actor.tokenId ?? actor.userId) : actor.kind;
  const count = streams.get(caller) ?? 0;
  if (count >= MAX_STREAMS) {
    throw new Refusal('RATE_LIMITED', `At most ${MAX_STREAMS} subscriptions at a time; end one first.`);
  }
  streams.set(caller, count + 1);
  left.addEventListener('abort', () => {
    const rest = (streams.get(caller) ?? 1) - 1;
    if (rest > 0) streams.set(caller, rest);
    else streams.delete(caller);
  });
}

const BEAT = 'beat';

type Beat = typeof BEAT;

const HEARTBEAT = ':\n\n';
const COMPLETE = 'event: complete\ndata:\n\n';

/** The frames of a subscription. Nothing is read ahead: a client that is slow makes nothing pile up here. */
async function* subscriptionFrames(
  answers: AsyncGenerator<GraphQLAnswer, void>,
  { ctx, renew, signal }: Pick<Follower, 'renew' | 'signal'> & { ctx: Context },
): AsyncGenerator<string> {
  const ended = new AbortController();
  const pause = () => sleep<Beat>(HEARTBEAT_MS, BEAT, { signal: ended.signal }).catch((): Beat => BEAT);
  signal.addEventListener('abort', () => ended.abort(), { once: true });
  try {
    yield HEARTBEAT;
    let beat = pause();
    for (let answer = answers.next(); ; ) {
      const first = await Promise.race([answer, beat]);
      if (signal.aborted) return;
      if (first === BEAT) {
        await renew();
        beat = pause();
        yield HEARTBEAT;
        continue;
      }
      if (first.done) break;
      yield next(first.value);
      answer = answers.next();
    }
    yield COMPLETE;
  } catch (error) {
    yield next({ errors: [formatError(error, ctx)] });
    yield COMPLETE;
  } finally {
    ended.abort();
    // It ends by the signal; nobody is left to wait for it.
    void answers.return().catch(() => {});
  }
}

function next(answer: Result | GraphQLAnswer): string {
  const eventId = answer.extensions?.eventId;
  const text = 'stringify' in answer ? answer.stringify?.() : JSON.stringify(answer);
  return `event: next\n${eventId === undefined ? '' : `id: ${eventId}\n`}data: ${text}\n\n`;
}
