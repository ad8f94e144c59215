import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createMcpHandler,
  type McpServerFactory,
  ProtocolErrorCode,
  type ServerEvent,
} from '@modelcontextprotocol/server';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { markHandled } from '../../lib/mark-handled.ts';
import type { StreamClient } from '../context/stream-client.ts';
import { apiErrorOf } from '../http/error-body.ts';
import { rejectLongBody, takeStreamSlot, tooManyStreams } from '../http/limits/stream-slots.ts';
import { EVENT_STREAM, EVENT_STREAM_HEADERS, framesFor, HEARTBEAT, HEARTBEAT_MS } from '../http/stream-client.ts';
import { loggable } from '../log/loggable.ts';
import { noteUnexpectedError } from '../log/unexpected-errors.ts';
import { type McpMessage, type McpResponse, messageRefusal, refusal, requestIdOf } from './answer-message.ts';

/** Maximum number of resources that one stream follows. */
const MAX_FOLLOWED = 100;

/** Resources that a stream follows. */
export interface FollowedResources {
  /** The URIs of those that the caller can read. */
  uris: string[];
  /** The URI of each that changes, as it does, until the stream ends. */
  changes: AsyncGenerator<string, void>;
}

/** What following needs of the client of a stream. */
export type ResourceStreamClient = Pick<StreamClient, 'renew' | 'signal'>;

export interface ListenOptions {
  log: FastifyBaseLogger;
  streamClient: StreamClient;
  /** Begins to follow resources, up to `MAX_FOLLOWED`. */
  follow(uris: readonly string[]): Promise<FollowedResources>;
}

const listening = z.looseObject({
  params: z.looseObject({ notifications: z.looseObject({ resourceSubscriptions: z.array(z.string()) }) }),
});

/**
 * Answers `subscriptions/listen` (Model Context Protocol 2026-07-28) with a stream of notifications about resources
 * that change. The acknowledgement names those that are followed. The stream ends with a result when the service stops,
 * and without one when the caller is no longer accepted or the changes can no longer be read. Throws RATE_LIMITED if
 * the account has too many streams, and PAYLOAD_TOO_LARGE for long messages.
 */
export async function answerListening(
  makeServer: McpServerFactory,
  url: string,
  { body, headers }: McpMessage,
  { log, streamClient, follow }: ListenOptions,
): Promise<McpResponse> {
  const refused = messageRefusal(body, { hasStreams: true });
  if (refused) return refused;
  const requestedUris = [...new Set(listening.safeParse(body).data?.params.notifications.resourceSubscriptions)];
  if (requestedUris.length > MAX_FOLLOWED) return tooMany(body);
  rejectLongBody(streamClient);
  if (!takeStreamSlot(streamClient.account, streamClient.disconnected)) throw tooManyStreams();
  const { uris, changes } = await follow(requestedUris);
  let publish: (event: ServerEvent) => void = () => {};
  const bus = {
    publish() {},
    subscribe(listener: typeof publish) {
      publish = listener;
      return () => {};
    },
  };
  const onerror = (error: unknown) => log.debug({ err: loggable(error) }, 'subscription refused');
  // The library would send heartbeats without checking the token.
  const handler = createMcpHandler(makeServer, { bus, keepAliveMs: 0, onerror });
  const request = new Request(url, { method: 'POST', headers });
  const response = await handler.fetch(request, { parsedBody: withUris(body, uris) });
  const type = response.headers.get('content-type') ?? '';
  if (uris.length === 0 || !type.startsWith(EVENT_STREAM) || !response.body) {
    const text = await response.text();
    await handler.close();
    void changes.return().catch(() => {});
    return {
      status: response.status,
      headers: { ...(type !== '' && { 'content-type': type }), 'cache-control': 'no-store' },
      body: text,
    };
  }
  const frames = framesOf(response.body, {
    log,
    streamClient,
    changes,
    publish: (uri) => publish({ kind: 'resource_updated', uri }),
    close: () => handler.close(),
  });
  return {
    status: response.status,
    headers: EVENT_STREAM_HEADERS,
    body: Readable.from(framesFor(streamClient, frames), { objectMode: false, highWaterMark: 1 }),
  };
}

const tooMany = (body: unknown): McpResponse =>
  refusal(200, requestIdOf(body), {
    code: ProtocolErrorCode.InvalidParams,
    message: `notifications.resourceSubscriptions: must have at most ${MAX_FOLLOWED} URIs. Open another stream for the others.`,
  });

/** The message with other resources. Messages that are not valid are left to the library. */
function withUris(body: unknown, uris: string[]): unknown {
  const { data } = listening.safeParse(body);
  if (!data) return body;
  const notifications = { ...data.params.notifications, resourceSubscriptions: uris };
  return { ...data, params: { ...data.params, notifications } };
}

const BEAT = 'beat';

interface Frames extends Pick<ListenOptions, 'log' | 'streamClient'> {
  changes: AsyncGenerator<string, void>;
  /** Writes the frame of a change to the stream. */
  publish(uri: string): void;
  /** Writes the last frame, and closes the stream. */
  close(): Promise<void>;
}

/** The frames of a stream, one for each change. Nothing is read ahead, so that slow clients do not fill the memory. */
async function* framesOf(
  stream: ReadableStream<Uint8Array>,
  { log, streamClient: { signal, disconnected, renew }, changes, publish, close }: Frames,
): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  const ended = new AbortController();
  const pause = () => sleep(HEARTBEAT_MS, BEAT, { signal: ended.signal }).catch(() => BEAT);
  signal.addEventListener('abort', () => ended.abort(), { once: true });
  const rethrowUnlessEnded = (error: unknown) => {
    if (!signal.aborted) throw error;
    return BEAT;
  };
  try {
    yield (await reader.read()).value ?? HEARTBEAT; // the acknowledgement
    let change = markHandled(changes.next());
    for (let beat = pause(); !signal.aborted; ) {
      const first = await Promise.race([change, beat]).catch(rethrowUnlessEnded);
      if (signal.aborted) break;
      if (typeof first === 'string') {
        await renew().catch(rethrowUnlessEnded);
        if (signal.aborted) break;
        beat = pause();
        yield HEARTBEAT;
        continue;
      }
      if (first.done) return;
      publish(first.value);
      yield (await reader.read()).value ?? HEARTBEAT;
      change = markHandled(changes.next());
    }
    if (disconnected.aborted) return;
    await close();
    for (let last = await reader.read(); !last.done; last = await reader.read()) yield last.value;
  } catch (error) {
    // The client opens another stream, and learns why that is refused.
    if (!apiErrorOf(error)) noteUnexpectedError(log, loggable(error));
  } finally {
    ended.abort();
    await close();
    // The signal ends the generator. Its errors are ignored, since the stream is already over.
    void changes.return().catch(() => {});
  }
}
