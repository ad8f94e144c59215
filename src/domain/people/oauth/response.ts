import { type IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Services } from '../../../platform/context/services.ts';
import { authorizationServer, SESSION_COOKIE } from './authorization-server.ts';
import type { OAuthError } from './error-page.ts';

interface AuthorizationResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body?: string;
  /** Set if a person sees the error in a browser. */
  pageError?: OAuthError;
}

/** A request to the authorization server. */
export interface ServerRequest extends Pick<FastifyRequest, 'raw' | 'body'> {
  /** The query string with its question mark. */
  search: string;
  /** The client address for limits. */
  address: string;
}

/**
 * The response of the authorization server to a request. The library reads a copy of the request and writes to memory,
 * so that limits, headers and logs are those of all requests. Throws what is no response to a client, such as an
 * unavailable database.
 */
export async function responseOf(
  services: Services,
  { search, address, ...request }: ServerRequest,
): Promise<AuthorizationResponse> {
  const { provider, requesters, faults, pageErrors } = await authorizationServer(services);
  const copy = copyOf(request, search, services.config.publicUrl);
  requesters.set(copy, { address, credentials: credentialsIn(request.body) });
  const { response, body } = responseTo(copy);
  await provider.callback()(copy, response);
  if (faults.has(copy)) throw faults.get(copy);
  const error = pageErrors.get(copy);
  return { ...inMemory(response, body()), ...(error && { pageError: error }) };
}

/** What a client sends with a code or token, valid or not. */
const CREDENTIALS = ['code', 'refresh_token', 'token'];

const credentialsIn = (body: unknown): string[] =>
  body instanceof URLSearchParams ? CREDENTIALS.flatMap((name) => body.get(name) ?? []) : [];

/** A response that stays in memory. */
function responseTo(request: IncomingMessage): { response: ServerResponse; body(): string } {
  const response = new ServerResponse(request);
  let content = '';
  response.end = ((chunk?: unknown) => {
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) content = chunk.toString();
    return response;
  }) as ServerResponse['end']; // Koa ends each response with a text, or without one
  return { response, body: () => content };
}

/** Headers of the body as it was sent, and of hosts: the library makes addresses of them, whoever has sent them. */
const REPLACED = new Set(['content-type', 'content-length', 'transfer-encoding', 'host', 'x-forwarded-host']);

/** The request as the library reads it: with its body again, and with the address that the service has for browsers. */
export function copyOf(
  { raw, body }: Pick<FastifyRequest, 'raw' | 'body'>,
  search: string,
  publicUrl: string,
): IncomingMessage {
  const [path = ''] = (raw.url ?? '').split('?', 1);
  const isForm = body instanceof URLSearchParams;
  const text = isForm ? body.toString() : body === undefined || body === null ? undefined : JSON.stringify(body);
  const bytes = text === undefined ? undefined : Buffer.from(text);
  const { protocol, host } = new URL(publicUrl);
  const rest = Object.entries(raw.headers).filter(([name]) => !REPLACED.has(name));
  const headers = {
    ...Object.fromEntries(rest),
    host,
    'x-forwarded-proto': protocol.replace(':', ''),
    ...(bytes && {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      'content-length': String(bytes.length),
    }),
  };
  return Object.assign(Readable.from(bytes ? [bytes] : []), {
    method: raw.method,
    url: `${path.endsWith('/') ? path.slice(0, -1) : path}${search}`,
    headers,
    httpVersion: raw.httpVersion,
    httpVersionMajor: raw.httpVersionMajor,
    httpVersionMinor: raw.httpVersionMinor,
    socket: raw.socket,
  }) as unknown as IncomingMessage; // the part of it that Koa reads
}

/** Headers of the connection, and those that all responses get. */
const NOT_PASSED_ON = new Set(['content-length', 'connection', 'date', 'transfer-encoding']);

function inMemory(response: ServerResponse, body: string): AuthorizationResponse {
  const { statusCode: status } = response;
  const isRedirect = response.hasHeader('location');
  const headers: AuthorizationResponse['headers'] = {};
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (NOT_PASSED_ON.has(name) || name.startsWith('access-control-')) continue;
    if (isRedirect && name === 'content-type') continue;
    const values = [value ?? []].flat().map(String);
    const remaining = name === 'set-cookie' ? values.filter((cookie) => !cookie.startsWith(SESSION_COOKIE)) : values;
    if (remaining.length > 0) headers[name] = remaining.length === 1 ? (remaining[0] ?? '') : remaining;
  }
  // Redirects need no page.
  return { status, headers, ...(!isRedirect && { body }) };
}
