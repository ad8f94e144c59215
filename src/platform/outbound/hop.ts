import { unescape as decode } from 'node:querystring';
import { OutboundError } from './outbound-error.ts';

/** One request of a redirect chain. The URL has no userinfo. Header names are in lower case. */
export interface Hop {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

/** The parameters of the first request. */
export interface HopParts {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Whether the URL can contain `user:password@`, which is sent as basic authentication. */
  allowUserinfo?: boolean;
}

export function firstHop({ url: text, method = 'GET', headers = {}, body, allowUserinfo = false }: HopParts): Hop {
  const { url, authorization } = target(text, undefined, allowUserinfo);
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    url,
    method,
    headers: { ...DEFAULT_HEADERS, ...(authorization && { authorization }), ...Object.fromEntries(entries) },
    body,
  };
}

/**
 * The request that a response redirects to (RFC 9110, 15.4), or undefined if it does not. Credentials are not sent to
 * another origin.
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (location === undefined || !REDIRECTS.has(status)) return undefined;
  const { url } = target(location, hop.url, false);
  const becomesGet = (status === 303 && hop.method !== 'HEAD') || (status < 303 && hop.method === 'POST');
  const headers = Object.entries(hop.headers)
    .filter(([name]) => !becomesGet || !name.startsWith('content-'))
    .filter(([name]) => url.origin === hop.url.origin || SENT_TO_OTHERS.test(name));
  const message = becomesGet ? { method: 'GET', body: undefined } : { method: hop.method, body: hop.body };
  return { url, ...message, headers: Object.fromEntries(headers) };
}

const DEFAULT_HEADERS = { 'user-agent': 'Stemma', 'accept-encoding': 'gzip, deflate, br' };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Headers that are also sent to other origins. Any other header can contain a secret. */
const SENT_TO_OTHERS = /^(accept|accept-.*|content-.*|user-agent|range|if-.*|git-protocol)$/;

/** Errors of the URL parser contain the URL with its password, so they are not passed on. */
function target(text: string, base: URL | undefined, allowUserinfo: boolean) {
  const url = URL.parse(text, base);
  if (!url) throw new OutboundError('BAD_URL', 'Not a valid URL.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('BAD_URL', `The URL must begin with http:// or https://, not ${url.protocol}`);
  }
  const { username, password } = url;
  if (username === '' && password === '') return { url };
  if (!allowUserinfo) throw new OutboundError('BAD_URL', 'The URL must not contain a user name or password.');
  url.username = '';
  url.password = '';
  return { url, authorization: basic(username, password) };
}

/** Basic authentication in UTF-8 (RFC 7617). As usual in URLs, a percent sign that encodes nothing is literal. */
const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`;
