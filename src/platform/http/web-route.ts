import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { markHandled } from '../../lib/mark-handled.ts';
import { ANONYMOUS } from '../access/actor.ts';
import type { Context } from '../context/context.ts';
import type { StreamClient } from '../context/stream-client.ts';
import { ApiError } from '../errors/errors.ts';
import { addressBucket } from '../rate-limit/address-bucket.ts';
import { CUSTOM_HOST } from './custom-hosts.ts';
import type { InContext } from './in-context.ts';
import { closeStalledResponse } from './limits/close-stalled-response.ts';
import type { ResponseMemory } from './limits/response-memory.ts';
import { isCounted } from './limits/write-json.ts';
import { disconnectSignal, type MakeStreamClient } from './stream-client.ts';

/** The response of a web route. */
export interface WebResponse {
  status: number;
  headers: Record<string, string | string[]>;
  /** A stream has few bytes at a time: it is neither compressed nor counted as memory. */
  body?: string | Buffer | Readable;
  /** Size in bytes before the body was compressed, if it was. */
  fullSize?: number;
}

/**
 * An endpoint outside of REST and GraphQL: a page or form, an endpoint of OAuth, SCIM or `/mcp`, or a page of a site.
 */
export interface WebRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for parameters, in Fastify's syntax. */
  path: string;
  /** The only host that the route exists on, with its port. All hosts by default. */
  host?: string;
  /** The route exists on custom hosts only (`registerCustomHosts`). */
  onCustomHosts?: true;
  /** The route requires a caller: other requests are rejected before their body is read. */
  needsToken?: true;
  /** Tokens and sessions of the API have no effect on the route. */
  ignoresCaller?: true;
  /** Bodies are JSON, also with the media type of SCIM. */
  takesScim?: true;
  /** Maximum size of a form in bytes. */
  maxBytes?: number;
  handle(ctx: Context, request: FastifyRequest, client: WebClient): Promise<WebResponse>;
}

/** The client of a request whose response can be a stream. */
export interface WebClient {
  /** Returns a signal that is aborted when the client disconnects. */
  left(): AbortSignal;
  /**
   * Sends a response while the route goes on, within the time limit of the request. What the route returns later is not
   * sent.
   */
  begin(response: WebResponse): void;
  /** Returns the client of a stream that goes on when the route has returned, without the time limit of the request. */
  openStream(): StreamClient;
}

const MAX_FORM_BYTES = 16_384;

interface WebRouteOptions {
  inContext: InContext;
  makeStreamClient: MakeStreamClient;
  memory: ResponseMemory;
  /** The page for a form that was sent from another address. */
  foreignForm(request: FastifyRequest, error: ForeignFormError): WebResponse;
}

const takesHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;

/** Serves web routes. Their bodies are limited like JSON, and count as memory for responses unless they are short. */
export function registerWebRoutes(
  server: FastifyInstance,
  routes: readonly WebRoute[],
  { inContext, makeStreamClient, memory, foreignForm }: WebRouteOptions,
): void {
  for (const route of routes) {
    const {
      method,
      path: url,
      host,
      onCustomHosts,
      needsToken,
      ignoresCaller,
      takesScim,
      maxBytes = MAX_FORM_BYTES,
      handle,
    } = route;
    const config = {
      takesForm: method === 'POST' && !takesScim,
      takesScim: takesScim === true,
      needsToken: needsToken === true || takesScim === true,
      anonymousBody: maxBytes,
    };
    server.route({
      method,
      url,
      config,
      ...(host !== undefined && { constraints: { host } }),
      ...(onCustomHosts && { constraints: { [CUSTOM_HOST]: 'yes' } }),
      handler: async (request, reply) => {
        if (ignoresCaller)
          request.caller = { actor: ANONYMOUS, account: addressBucket(request.ip), allowance: undefined };
        const { promise: begun, resolve: begin } = Promise.withResolvers<WebResponse>();
        let streamClient: StreamClient | undefined;
        const clientOf = (ctx: Context): WebClient => ({
          begin,
          left: () => disconnectSignal(reply),
          openStream() {
            streamClient ??= makeStreamClient(request, reply, ctx);
            return streamClient;
          },
        });
        const returned = markHandled(inContext(request, reply, (ctx) => handle(ctx, request, clientOf(ctx))));
        const { status, headers, body, fullSize } = await Promise.race([begun, returned]).catch((error: unknown) => {
          if (error instanceof ForeignFormError && takesHtml(request)) return foreignForm(request, error);
          throw error;
        });
        if (fullSize !== undefined) memory.checkSize(fullSize, request);
        if (typeof body === 'string' || Buffer.isBuffer(body)) {
          if (isCounted(body)) memory.reserveWhole(Buffer.byteLength(body), request, reply);
        } else if (body !== undefined && !streamClient) closeStalledResponse(request, reply);
        return reply.status(status).headers(headers).send(body);
      },
    });
  }
}

/** A parameter of the query string, if it is sent once. */
export function queryParameter({ query }: FastifyRequest, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name]; // Fastify's query parser gives an object
  return typeof value === 'string' ? value : undefined;
}

/** The fields of a form. BAD_USER_INPUT for bodies of another type and for fields that are sent twice. */
export function formOf({ body }: FastifyRequest): Readonly<Record<string, string>> {
  if (!(body instanceof URLSearchParams)) throw new ApiError('BAD_USER_INPUT', 'The body must be a form.');
  const fields = [...body];
  const names = new Set(fields.map(([name]) => name));
  if (names.size < fields.length) throw new ApiError('BAD_USER_INPUT', 'The form has two fields with the same name.');
  return Object.fromEntries(fields);
}

/**
 * Throws FORBIDDEN unless the form was sent by a page of this service. Requests with a session are checked before; this
 * is for forms that start one.
 */
export function rejectForeignForm({ headers }: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>): void {
  const { origin } = new URL(publicUrl);
  if (headers.origin === origin) return;
  const sent = headers.origin === undefined ? 'without it' : `from ${headers.origin.slice(0, 300)}`;
  throw new ForeignFormError(
    'FORBIDDEN',
    `This form must be sent by a page of this service, with the header "Origin: ${origin}". It was sent ${sent}. Open the page at ${publicUrl}.`,
  );
}

/** The form is of another site, or of a page that was opened at another address than `PUBLIC_URL`. */
class ForeignFormError extends ApiError {}

/** The address of the page that a form is on, at `PUBLIC_URL`. */
export function addressOfForm({ headers, url }: FastifyRequest, publicUrl: string): string {
  const page = URL.parse(headers.referer ?? '');
  const isOfPage = page !== null && page.origin === headers.origin;
  return `${publicUrl}${isOfPage ? page.pathname + page.search : `/${url.split(/[/?]/)[1] ?? ''}`}`;
}

/** A redirect that browsers follow with GET, whatever the method of the request was (RFC 9110, 15.4.4). */
export const seeOther = (location: string, headers: Record<string, string> = {}): WebResponse => ({
  status: 303,
  headers: { ...headers, location, 'cache-control': 'no-store' },
});
