import { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAsyncIterable, type Plugin, processRegularResult } from 'graphql-yoga';
import type { Context } from '../context/context.ts';
import type { StreamClient } from '../context/stream-client.ts';
import { formatError } from '../graphql/request/errors.ts';
import type { GraphQLResponse } from '../graphql/request/outcome.ts';
import type { ServerContext } from '../graphql/request/server-context.ts';
import { rejectLargeResponse } from './limits/response-memory.ts';
import { rejectLongBody, takeStreamSlot, tooManyStreams } from './limits/stream-slots.ts';
import { isCounted, writeJson } from './limits/write-json.ts';
import { EVENT_STREAM, EVENT_STREAM_HEADERS, framesFor, HEARTBEAT, HEARTBEAT_MS } from './stream-client.ts';

/**
 * Sends results as server-sent events (GraphQL over Server-Sent Events, "Distinct connections mode"): `next` for each
 * result, and `complete` at the end. On shutdown the stream ends without `complete`, so that the client reconnects with
 * `Last-Event-ID`. Replaces Yoga's streams, which have no event ids and do not authenticate again.
 *
 * Results that cannot be streamed, and single ones of clients that have too many streams, are sent as JSON even if the
 * client does not accept it, since the operation has already run.
 */
export const useEventStreams: Plugin<object, ServerContext> = {
  onResultProcess({ result, resultProcessor, setResultProcessor, serverContext: { exchange } }) {
    const { ctx, transport, streamClient, sent } = exchange;
    if (resultProcessor === processRegularResult) return;
    const isSubscription = isAsyncIterable(result);
    if (isSubscription && streamClient) rejectLongBody(streamClient);
    const hasSlot =
      transport.streamed &&
      streamClient !== undefined &&
      takeStreamSlot(streamClient.account, streamClient.disconnected);
    if (!hasSlot && isSubscription) throw tooManyStreams();
    if (!hasSlot) {
      setResultProcessor(processRegularResult, 'application/json');
      return;
    }
    const receiver = { ctx, ...streamClient };
    if (isSubscription) {
      const frames = subscriptionFrames(result as AsyncGenerator<GraphQLResponse, void>, receiver); // the engine's
      setResultProcessor(() => streamOf(framesFor(streamClient, frames)), EVENT_STREAM);
      return;
    }
    const response = sent.response ?? (result as GraphQLResponse); // batches are refused
    // The request is kept as long as the stream. The result, which takes more memory than its text, is not.
    delete sent.response;
    setResultProcessor(async () => streamOf(resultFrames(await printed(response, receiver), receiver)), EVENT_STREAM);
  },
};

function streamOf(frames: AsyncIterable<Buffer>): Response {
  return new Response(ReadableStream.from(frames) as BodyInit, {
    headers: EVENT_STREAM_HEADERS,
  });
}

const BEAT = 'beat';

type Beat = typeof BEAT;

const COMPLETE = Buffer.from('event: complete\ndata:\n\n');
const END_OF_FRAME = Buffer.from('\n\n');

/** Whom frames are for: a request, and the memory that they take until they are received. */
interface Receiver extends Pick<StreamClient, 'reserved'> {
  ctx: Context;
}

/** The parts of a frame. */
type Frame = readonly Buffer[];

/** The frames of an operation with a single result. */
async function* resultFrames(frame: Frame, receiver: Receiver): AsyncGenerator<Buffer> {
  yield* untilReceived(frame, receiver);
  yield COMPLETE;
}

const printed = (response: GraphQLResponse, receiver: Receiver): Promise<Frame> =>
  next(response, receiver).catch((error) => next(errorOf(error, receiver.ctx), receiver));

/**
 * The frames of a subscription. Nothing is read ahead, so that slow clients do not fill the memory. The first frame
 * tells that the subscription has begun: whatever the client reads afterwards includes all earlier changes, and later
 * ones are delivered.
 */
async function* subscriptionFrames(
  responses: AsyncGenerator<GraphQLResponse, void>,
  { ctx, reserved, renew, signal, begun }: Pick<StreamClient, 'renew' | 'signal' | 'begun'> & Receiver,
): AsyncGenerator<Buffer, void> {
  const ended = new AbortController();
  const pause = () => sleep<Beat>(HEARTBEAT_MS, BEAT, { signal: ended.signal }).catch((): Beat => BEAT);
  signal.addEventListener('abort', () => ended.abort(), { once: true });
  try {
    let response = responses.next();
    await Promise.race([begun, response]);
    yield HEARTBEAT;
    for (let beat = pause(); ; ) {
      const first = await Promise.race([response, beat]);
      if (signal.aborted) return;
      if (first === BEAT) {
        await renew();
        beat = pause();
        yield HEARTBEAT;
        continue;
      }
      if (first.done) break;
      yield* untilReceived(await next(first.value, { ctx, reserved }), { reserved });
      response = responses.next();
    }
    yield COMPLETE;
  } catch (error) {
    if (signal.aborted) return;
    yield* untilReceived(await next(errorOf(error, ctx), { ctx, reserved }), { reserved });
    yield COMPLETE;
  } finally {
    ended.abort();
    // The signal ends the generator. Its errors are ignored, since the stream is already over.
    void responses.return().catch(() => {});
  }
}

const errorOf = (error: unknown, ctx: Context): GraphQLResponse => ({ errors: [formatError(error, ctx)] });

/** The frame of a result. Takes memory for it unless it is short. */
async function next(response: GraphQLResponse, { ctx, reserved }: Receiver): Promise<Frame> {
  const eventId = response.extensions?.eventId;
  const maxBytes = ctx.services.config.maxResponseBytes;
  const takesMemory = isCounted(response);
  let size = 0;
  try {
    const data = await writeJson(response, (bytes) => {
      size += bytes;
      if (size > maxBytes) rejectLargeResponse('POST', maxBytes);
      if (takesMemory) reserved.grow(bytes);
    });
    const start = Buffer.from(`event: next\n${eventId === undefined ? '' : `id: ${eventId}\n`}data: `);
    return [start, data, END_OF_FRAME];
  } catch (error) {
    reserved.release();
    throw error;
  }
}

/** The memory of a frame is held until its end is asked for: then the connection has taken what comes before. */
async function* untilReceived(frame: Frame, { reserved }: Pick<Receiver, 'reserved'>): AsyncGenerator<Buffer> {
  try {
    yield* frame;
  } finally {
    reserved.release();
  }
}
