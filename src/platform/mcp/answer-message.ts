import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type McpServer,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { FastifyBaseLogger } from 'fastify';
import type { StreamClient } from '../context/stream-client.ts';
import { EVENT_STREAM, EVENT_STREAM_HEADERS, HEARTBEAT_MS } from '../http/stream-client.ts';
import { loggable } from '../log/loggable.ts';
import { noteUnexpectedError } from '../log/unexpected-errors.ts';
import { progressTokenIn } from './progress.ts';

/** A message to an endpoint of the Model Context Protocol, as the request has it. */
export interface McpMessage {
  body: unknown;
  /** The headers that the protocol reads. */
  headers: Record<string, string>;
}

export interface McpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Readable;
}

/** The client of an endpoint that streams responses. */
export interface McpClient {
  /** Returns a signal that is aborted when the client disconnects. */
  left(): AbortSignal;
  /** Sends a response whose body is not complete yet. */
  begin(response: McpResponse): void;
  /** Returns the client of a stream that goes on after the message was answered. */
  openStream(): StreamClient;
}

/** Capability of lists that change without a notification. */
export const NO_NOTIFICATIONS = { listChanged: false };

interface AnswerOptions {
  log: FastifyBaseLogger;
  /** Without it, the endpoint has no streams. */
  client?: McpClient;
}

/**
 * Answers a message of the Model Context Protocol over its HTTP transport, without sessions, in all versions of the
 * protocol that the library has. Refuses batches. Messages that ask for progress are answered by a stream, others as a
 * whole. Since version 2026-07-28, a client that disconnects cancels its request.
 */
export async function answerMessage(
  makeServer: (context: McpRequestContext) => McpServer,
  url: string,
  { body, headers }: McpMessage,
  { log, client }: AnswerOptions,
): Promise<McpResponse> {
  const refused = messageRefusal(body, { hasStreams: client !== undefined });
  if (refused) return refused;
  let cause: unknown;
  const onerror = (error: unknown) => {
    cause = error;
  };
  const handler = createMcpHandler(makeServer, { keepAliveMs: client ? HEARTBEAT_MS : 0, onerror });
  const message = { method: 'POST', headers };
  const isCancelled = client !== undefined && !(await isLegacyRequest(new Request(url, message), body));
  try {
    const request = new Request(url, { ...message, ...(isCancelled && { signal: client.left() }) });
    const response = await handler.fetch(request, { parsedBody: body });
    const { status } = response;
    if (status >= 500) noteUnexpectedError(log, loggable(cause), { status });
    const type = response.headers.get('content-type');
    if (client && response.body && type?.startsWith(EVENT_STREAM) && progressTokenIn(body) !== undefined) {
      return await streamed(response.body, { status, client });
    }
    return {
      status,
      headers: { ...(type !== null && { 'content-type': type }), 'cache-control': 'no-store' },
      body: await response.text(),
    };
  } finally {
    await handler.close();
  }
}

/** Sends a stream as it is written, and resolves when it is complete. The client may read it slowly, or leave. */
async function streamed(
  stream: ReadableStream<Uint8Array>,
  { status, client }: { status: number; client: McpClient },
): Promise<McpResponse> {
  const [sent, watched] = stream.tee();
  // The library has the types of browsers.
  const response = { status, headers: EVENT_STREAM_HEADERS, body: Readable.fromWeb(sent as NodeStream<Uint8Array>) };
  client.begin(response);
  for (const reader = watched.getReader(); !(await reader.read()).done; );
  return response;
}

/**
 * The refusal of a message before a method runs, with the statuses of the library for such errors. Undefined for
 * others.
 */
export function messageRefusal(body: unknown, { hasStreams }: { hasStreams: boolean }): McpResponse | undefined {
  if (Array.isArray(body)) {
    const message = 'The body must be one message: batches are not supported.';
    return refusal(400, null, { code: ProtocolErrorCode.InvalidRequest, message });
  }
  if (hasLongName(body))
    return refusal(400, null, {
      code: ProtocolErrorCode.InvalidRequest,
      message: `The id and the progress token of a message must have at most ${MAX_NAME} characters.`,
    });
  if (hasStreams || !isListening(body)) return undefined;
  const message = 'Subscriptions are not available: this endpoint has no streams. Read again.';
  return refusal(404, requestIdOf(body), { code: ProtocolErrorCode.MethodNotFound, message });
}

/** Both are in every notification of a response. */
const MAX_NAME = 200;

const hasLongName = (body: unknown): boolean =>
  String(requestIdOf(body) ?? '').length > MAX_NAME || String(progressTokenIn(body) ?? '').length > MAX_NAME;

/** Whether a message asks for a stream of notifications. */
export const isListening = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen';

/** The id of a request, for errors about it. */
export const requestIdOf = (body: unknown): string | number | null =>
  typeof body === 'object' &&
  body !== null &&
  'id' in body &&
  (typeof body.id === 'string' || typeof body.id === 'number')
    ? body.id
    : null;

/** A response that refuses a message. */
export const refusal = (
  status: number,
  id: string | number | null,
  error: { code: number; message: string },
): McpResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify({ jsonrpc: '2.0', id, error }),
});
