import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { ApiError } from '../errors/errors.ts';

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

/**
 * Answers a message of the Model Context Protocol over its HTTP transport, without sessions, in all versions of the protocol
 * that the library has. Throws BAD_USER_INPUT for batches, and for subscriptions, which need streams.
 */
export async function answerMessage(
  makeServer: () => McpServer,
  url: string,
  { body, headers }: McpMessage,
): Promise<McpAnswer> {
  if (Array.isArray(body)) {
    throw new ApiError('BAD_USER_INPUT', 'The body must be one message: batches are not supported.');
  }
  if (typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen') {
    throw new ApiError('BAD_USER_INPUT', 'Subscriptions are not available: this endpoint has no streams. Read again.');
  }
  const handler = createMcpHandler(makeServer, { keepAliveMs: 0 });
  try {
    const request = new Request(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const response = await handler.fetch(request, { parsedBody: body });
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
