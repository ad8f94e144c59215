import type { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { guardedConnect, type Resolve, resolveBySystem } from './guarded-connect.ts';
import { firstHop, type Hop, type HopParts, nextHop } from './hop.ts';
import { OutboundError, outboundError, timedOut, tooLarge } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';
import { receiveBody } from './receive-body.ts';

export interface OutboundRequest extends HopParts {
  /** The most bytes the answer may have, after decompression. */
  maxBytes: number;
  /** Over the setting `FETCH_TIMEOUT_MS`. */
  timeoutMs?: number;
  /** `false`: a redirect is an answer like any other. */
  followRedirects?: boolean;
}

export interface OutboundResponse {
  /** Any status: what it means is the caller's to say. */
  status: number;
  /** By names in lower case; those that came several times are joined with commas. */
  headers: Record<string, string>;
  /** Where the answer came from, after redirects; without userinfo. */
  url: string;
  /** Streamed, and to be read or destroyed. Fails with `OutboundError`. */
  body: Readable;
}

/** The one way out: see `makeGuardedFetch`. */
export interface GuardedFetch {
  (request: OutboundRequest): Promise<OutboundResponse>;
  /** Breaks off whatever is under way. */
  close(): Promise<void>;
}

export interface GuardedFetchOptions {
  /** Milliseconds that a request may take until the last byte of its answer. */
  timeoutMs: number;
  /** Which addresses may be connected to; those of the public internet when nothing is said. */
  allows?: (address: string) => boolean;
  resolve?: Resolve;
}

const MAX_REDIRECTS = 5;

/**
 * Makes the fetch for everything outbound. It speaks http and https, connects to public addresses only, on every redirect
 * anew (at most 5 of them), and holds every answer to a time and a size. All it fails with is `OutboundError`.
 */
export function makeGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { timeoutMs, allows = isPublicAddress, resolve = resolveBySystem } = options;
  // The limits of the agent stand back behind the one of the request.
  const connect = guardedConnect({ resolve, allows, timeoutMs });
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });

  const fetch = async (request: OutboundRequest): Promise<OutboundResponse> => {
    const first = firstHop(request);
    const deadline = startDeadline(request.timeoutMs ?? timeoutMs);
    try {
      const answer = follow(agent, first, deadline.signal, request.followRedirects === false ? 0 : MAX_REDIRECTS);
      const { hop, response } = await Promise.race([answer, deadline.passed]);
      return present(hop, response, request.maxBytes, deadline);
    } catch (error) {
      deadline.end();
      throw outboundError(error, first.url.origin);
    }
  };
  return Object.assign(fetch, { close: () => agent.destroy() });
}

type Deadline = ReturnType<typeof startDeadline>;

function startDeadline(milliseconds: number) {
  const controller = new AbortController();
  const { promise: passed, reject } = Promise.withResolvers<never>();
  passed.catch(() => {});
  // The agent heeds the signal once it is connected; `passed` tells of a connection that does not come about.
  controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  const timer = setTimeout(() => controller.abort(timedOut(milliseconds)), milliseconds);
  return { signal: controller.signal, passed, end: () => clearTimeout(timer) };
}

/** Sends a request, and those that it is redirected to. With no redirects left to follow, none is followed. */
async function follow(agent: Agent, first: Hop, signal: AbortSignal, maxRedirects: number) {
  let hop = first;
  for (let redirects = 0; ; redirects += 1) {
    const { url, method, headers, body = null } = hop;
    const path = `${url.pathname}${url.search}`;
    // @NOTE undici's list of methods is closed; it sends any token.
    const known = method as Dispatcher.HttpMethod;
    const response = await agent.request({ origin: url.origin, path, method: known, headers, body, signal });
    const next = maxRedirects === 0 ? undefined : following(hop, response);
    if (!next) return { hop, response };
    discard(response.body);
    if (redirects === maxRedirects) {
      throw new OutboundError('TOO_MANY_REDIRECTS', `${first.url.origin} redirected more than ${maxRedirects} times.`);
    }
    hop = next;
  }
}

function following(hop: Hop, { statusCode, headers, body }: Dispatcher.ResponseData): Hop | undefined {
  try {
    return nextHop(hop, statusCode, flat(headers).location);
  } catch (error) {
    discard(body);
    throw error;
  }
}

function present(hop: Hop, response: Dispatcher.ResponseData, maxBytes: number, deadline: Deadline): OutboundResponse {
  const { statusCode: status, body } = response;
  const headers = flat(response.headers);
  const isEmpty = hop.method === 'HEAD' || status === 204 || status === 304 || headers['content-length'] === '0';
  const encoding = isEmpty ? undefined : headers['content-encoding'];
  try {
    if (!isEmpty && !encoding && Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
    const receiving = { encoding, maxBytes, origin: hop.url.origin, ended: deadline.end };
    return { status, headers, url: hop.url.href, body: receiveBody(body, receiving) };
  } catch (error) {
    discard(body);
    throw error;
  }
}

/** Lets go of a body that nobody wants, and of its connection, which may have any number of bytes still to come. */
function discard(body: Readable): void {
  body.on('error', () => {}).destroy();
}

const flat = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));
