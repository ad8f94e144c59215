import type { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { type Resolve, resolveBySystem } from './allowed-addresses.ts';
import { guardedAgent } from './guarded-agent.ts';
import { firstHop, type Hop, type HopParts, nextHop } from './hop.ts';
import { OutboundError, outboundError, responseTooLarge, timedOut } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';
import { receiveResponseBody } from './receive-response-body.ts';

export interface OutboundRequest extends HopParts {
  /** Maximum size of the body in bytes, after decompression. */
  maxBytes: number;
  /** Overrides the setting `FETCH_TIMEOUT_MS`. */
  timeoutMs?: number;
  /** Ends the request when it is aborted. */
  signal?: AbortSignal | undefined;
  /** `false` returns redirects as responses. */
  followRedirects?: boolean;
}

export interface OutboundResponse {
  /** Any status. Error statuses do not throw. */
  status: number;
  /** By names in lower case. Values of repeated headers are joined with commas. */
  headers: Record<string, string>;
  /** URL of the response after redirects, without userinfo. */
  url: string;
  /** Stream that must be read or destroyed. Fails with `OutboundError`. */
  body: Readable;
}

/** Sends outbound requests: see `makeGuardedFetch`. */
export interface GuardedFetch {
  (request: OutboundRequest): Promise<OutboundResponse>;
  /** Aborts all requests. */
  close(): Promise<void>;
}

export interface GuardedFetchOptions {
  /** Time limit of a request in milliseconds, until the last byte of the response. */
  timeoutMs: number;
  /** Whether connections to an address are allowed. By default, only those of the public internet are. */
  allows?: (address: string) => boolean;
  resolve?: Resolve;
}

const MAX_REDIRECTS = 5;

/**
 * Makes the fetch function for all outbound requests. It supports http and https, follows up to 5 redirects, connects
 * to public addresses only (checked for every redirect), and limits the time and the size of responses. It only fails
 * with `OutboundError`.
 */
export function makeGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { timeoutMs, allows = isPublicAddress, resolve = resolveBySystem } = options;
  const agent = guardedAgent({ resolve, allows, timeoutMs });
  let isClosed = false;

  const fetch = async (request: OutboundRequest): Promise<OutboundResponse> => {
    const first = firstHop(request);
    const deadline = startDeadline(request.timeoutMs ?? timeoutMs, request.signal);
    try {
      if (isClosed) throw new Error('Outbound requests have ended.');
      const followed = follow(agent, first, deadline.signal, request.followRedirects === false ? 0 : MAX_REDIRECTS);
      const { hop, response } = await Promise.race([followed, deadline.passed]);
      return present(hop, response, request.maxBytes, deadline);
    } catch (error) {
      deadline.end();
      throw outboundError(error, first.url.origin);
    }
  };
  const close = async () => {
    isClosed = true;
    await agent.destroy();
  };
  return Object.assign(fetch, { close });
}

type Deadline = ReturnType<typeof startDeadline>;

function startDeadline(milliseconds: number, cancelled: AbortSignal | undefined) {
  const controller = new AbortController();
  const { promise: passed, reject } = Promise.withResolvers<never>();
  passed.catch(() => {});
  // The agent only observes the signal after it has connected. `passed` covers the time before.
  controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  const timer = setTimeout(() => controller.abort(timedOut(milliseconds)), milliseconds);
  const cancel = () => controller.abort(new OutboundError('FETCH_ERROR', 'The request was cancelled.'));
  cancelled?.addEventListener('abort', cancel, { once: true });
  if (cancelled?.aborted) cancel();
  const end = () => {
    clearTimeout(timer);
    cancelled?.removeEventListener('abort', cancel);
  };
  return { signal: controller.signal, passed, end };
}

/** Sends a request and follows its redirects. With `maxRedirects` 0, redirects are returned. */
async function follow(agent: Agent, first: Hop, signal: AbortSignal, maxRedirects: number) {
  let hop = first;
  for (let redirects = 0; ; redirects += 1) {
    const { url, method, headers, body = null } = hop;
    const path = `${url.pathname}${url.search}`;
    // @NOTE undici's type lists some methods, but it sends any.
    const httpMethod = method as Dispatcher.HttpMethod;
    const response = await agent.request({ origin: url.origin, path, method: httpMethod, headers, body, signal });
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
    if (!isEmpty && !encoding && Number(headers['content-length']) > maxBytes) throw responseTooLarge(maxBytes);
    const receiving = { encoding, maxBytes, origin: hop.url.origin, ended: deadline.end };
    return { status, headers, url: hop.url.href, body: receiveResponseBody(body, receiving) };
  } catch (error) {
    discard(body);
    throw error;
  }
}

/** Discards an unused body and its connection, since the rest of the body can be large. */
function discard(body: Readable): void {
  body.on('error', () => {}).destroy();
}

const flat = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));
