import { unescape as decode } from 'node:querystring';
import { OutboundError } from './outbound-error.ts';

/** One request on the way to an answer. The address has no userinfo; header names are in lower case. */
export interface Hop {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

/** What the first request is made of. */
export interface HopParts {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Whether `user:password@` in the address is taken, and sent as basic authentication. Refused otherwise. */
  allowUserinfo?: boolean;
}

export function firstHop({ url: text, method = 'GET', headers = {}, body, allowUserinfo = false }: HopParts): Hop {
  const { url, authorization } = target(text, undefined, allowUserinfo);
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    url,
    method,
    headers: { ...DEFAULT_HEADERS, ...(authorization && { authorization }), ...Object.fromEntries(given) },
    body,
  };
}

/**
 * The request that an answer redirects to (RFC 9110, 15.4); undefined when it does not. Another origin learns nothing of
 * who asks.
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

/** Headers that say what is wanted or sent. Any other may hold a secret: services name the headers of theirs freely. */
const SENT_TO_OTHERS = /^(accept|accept-.*|content-.*|user-agent|range|if-.*|git-protocol)$/;

/** Errors of the parser hold the address with its password and are not passed on. */
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

/** RFC 7617, in UTF-8. A percent sign that encodes nothing stands for itself, as everywhere in URLs. */
const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`;
