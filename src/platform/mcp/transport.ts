import type { FastifyRequest } from 'fastify';
import type { Services } from '../context/services.ts';
import { forbidden } from '../errors/errors.ts';
import type { WebResponse } from '../http/web-route.ts';
import type { McpMessage, McpResponse } from './answer-message.ts';

// The library of the protocol is large, and most processes get no message: `answer-message.ts` is imported with the
// first one.

/**
 * Servers without sessions answer GET and DELETE with 405 (Model Context Protocol 2025-06-18, Streamable HTTP). Clients
 * take other errors for faults of the server. Streams of notifications answer a POST, since version 2026-07-28.
 */
export const refuseMcpStream = async (): Promise<WebResponse> => ({
  status: 405,
  headers: { allow: 'POST', 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' },
  body: 'This endpoint takes POST only. It has no sessions and no event stream over GET.\n',
});

/** Throws FORBIDDEN for messages that a page of another website sends from a browser. */
export function rejectForeignOrigin(
  config: Pick<Services['config'], 'publicUrl' | 'sitesUrl'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
  customHostname?: string,
): void {
  if (isOwnOrigin(config, headers.origin, customHostname)) return;
  throw forbidden('The header "Origin" names another website. Pages of other websites cannot use this endpoint.');
}

const READ_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'];

/** The message in a request, with the headers that the protocol reads. */
export function mcpMessageOf({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>): McpMessage {
  const entries = READ_HEADERS.flatMap((name) =>
    typeof headers[name] === 'string' ? [[name, headers[name]] as const] : [],
  );
  return { body, headers: Object.fromEntries(entries) };
}

/** A message without a response, such as a notification, has no body. */
export const toWebResponse = ({ body, ...rest }: McpResponse): WebResponse => ({
  ...rest,
  ...(body !== '' && { body }),
});

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a message may come from where its header `Origin` says, which browsers send: a page of this service, or of
 * the custom hostname that was asked. Other websites must not use a visitor's browser to read sites that only the
 * visitor reaches (Model Context Protocol, Transports, "Security Warning"). Other programs send no such header.
 */
function isOwnOrigin(
  { publicUrl, sitesUrl }: Pick<Services['config'], 'publicUrl' | 'sitesUrl'>,
  origin: string | undefined,
  customHostname?: string,
): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  const ownHostnames = [publicUrl, sitesUrl].map((url) => new URL(url).hostname);
  if (LOOPBACK.has(hostname)) return ownHostnames.some((name) => LOOPBACK.has(name));
  return ownHostnames.includes(hostname) || hostname === customHostname;
}
