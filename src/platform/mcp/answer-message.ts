import { createMcpHandler, type McpServer, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { FastifyBaseLogger } from 'fastify';
import { loggable } from '../log/loggable.ts';

/** A message to an endpoint of the Model Context Protocol, as the request has it. */
export interface McpMessage {
  body: unknown;
  /** The headers that the protocol reads. */
  headers: Record<string, string>;
}

export interface McpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Capability of lists that change without a notification, since there are no streams. */
export const NO_NOTIFICATIONS = { listChanged: false };

/**
 * Answers a message of the Model Context Protocol over its HTTP transport, without sessions, in all versions of the protocol
 * that the library has. Refuses batches, and subscriptions, which need streams.
 */
export async function answerMessage(
  makeServer: () => McpServer,
  url: string,
  { body, headers }: McpMessage,
  log: FastifyBaseLogger,
): Promise<McpAnswer> {
  const refused = refusalOf(body);
  if (refused) return refused;
  let cause: unknown;
  const onerror = (error: unknown) => {
    cause = error;
  };
  const handler = createMcpHandler(makeServer, { keepAliveMs: 0, onerror });
  try {
    const response = await handler.fetch(new Request(url, { method: 'POST', headers }), { parsedBody: body });
    if (response.status >= 500) log.error({ status: response.status, err: loggable(cause) }, 'unexpected error');
    const type = response.headers.get('content-type');
    return {
      status: response.status,
      headers: { ...(type !== null && { 'content-type': type }), 'cache-control': 'no-store' },
      body: await response.text(),
    };
  } finally {
    await handler.close();
  }
}

/** The statuses are those of the library for errors before a method runs. */
function refusalOf(body: unknown): McpAnswer | undefined {
  if (Array.isArray(body)) {
    const message = 'The body must be one message: batches are not supported.';
    return refusal(400, null, { code: ProtocolErrorCode.InvalidRequest, message });
  }
  if (typeof body !== 'object' || body === null || !('method' in body) || body.method !== 'subscriptions/listen')
    return undefined;
  const id = 'id' in body && (typeof body.id === 'string' || typeof body.id === 'number') ? body.id : null;
  const message = 'Subscriptions are not available: this endpoint has no streams. Read again.';
  return refusal(404, id, { code: ProtocolErrorCode.MethodNotFound, message });
}

const refusal = (status: number, id: string | number | null, error: { code: number; message: string }): McpAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify({ jsonrpc: '2.0', id, error }),
});
