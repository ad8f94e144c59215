import { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAsyncIterable, type Plugin, processRegularResult } from 'graphql-yoga';
import type { Context } from '../context.ts';
import type { GraphQLAnswer } from '../graphql/answer.ts';
import { formatError } from '../graphql/errors.ts';
import type { Follower, ServerContext } from '../graphql/server-context.ts';
import { rejectLong } from './bounded-answers.ts';
import { takeStreamSlot } from './stream-slots.ts';
import { writeJson } from './write-json.ts';

export const EVENT_STREAM = 'text/event-stream';

/** Proxies cut connections that are silent for long. A usual limit is 60 seconds. */
const HEARTBEAT_MS = 15_000;

/**
 * Sends results as server-sent events (GraphQL over Server-Sent Events, "Distinct connections mode"): `next` for each
 * result, and `complete` at the end. On shutdown the stream ends without `complete`, so that the client reconnects with
 * `Last-Event-ID`. Replaces Yoga's streams, which have no event ids and do not authenticate again.
 *
 * Results that are not streams are sent as JSON even if the client does not accept it, since the operation has already
 * run.
 */
export const useEventStreams: Plugin<object, ServerContext> = {
  onResultProcess({ result, resultProcessor, setResultProcessor, serverContext: { ctx, ways, follower, sent } }) {
    if (resultProcessor === processRegularResult) return;
    if (!ways.streamed || !follower) {
      setResultProcessor(processRegularResult, 'application/json');
      return;
    }
    if (isAsyncIterable(result)) takeStreamSlot(follower.account, follower.left);
    const frames = isAsyncIterable(result)
      ? subscriptionFrames(result as AsyncGenerator<GraphQLAnswer, void>, { ctx, ...follower }) // the engine's
      : answerFrames(sent.answer ?? (result as GraphQLAnswer), ctx); // batches are refused
    setResultProcessor(() => streamOf(frames), EVENT_STREAM);
  },
};

function streamOf(frames: AsyncIterable<string>): Response {
  return new Response(ReadableStream.from(encoded(frames)) as BodyInit, {
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

const BEAT = 'beat';

type Beat = typeof BEAT;

const HEARTBEAT = ':\n\n';
const COMPLETE = 'event: complete\ndata:\n\n';

/** The frames of an operation with a single result. */
async function* answerFrames(answer: GraphQLAnswer, ctx: Context): AsyncGenerator<string> {
  try {
    yield await next(answer, ctx);
  } catch (error) {
    yield await next(errorOf(error, ctx), ctx);
  }
  yield COMPLETE;
}

/** The frames of a subscription. Nothing is read ahead, so that slow clients do not fill the memory. */
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
      yield await next(first.value, ctx);
      answer = answers.next();
    }
    yield COMPLETE;
  } catch (error) {
    yield await next(errorOf(error, ctx), ctx);
    yield COMPLETE;
  } finally {
    ended.abort();
    // The signal ends the generator. There is nobody to report an error to.
    void answers.return().catch(() => {});
  }
}

const errorOf = (error: unknown, ctx: Context): GraphQLAnswer => ({ errors: [formatError(error, ctx)] });

async function next(answer: GraphQLAnswer, ctx: Context): Promise<string> {
  const eventId = answer.extensions?.eventId;
  const maxBytes = ctx.services.config.maxAnswerBytes;
  const data = await writeJson(answer, { maxBytes, tooLong: () => rejectLong('POST', maxBytes) });
  return `event: next\n${eventId === undefined ? '' : `id: ${eventId}\n`}data: ${data}\n\n`;
}
