import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { forbidden } from '../errors/errors.ts';

type Addresses = Pick<Config, 'publicUrl' | 'sitesUrl'>;

/** Names of cookies. */
type CookieName = 'session' | 'sign_in';

/**
 * The name of a cookie. With https it has the prefix `__Host-`: browsers only accept it from this host, and send it to
 * no other (RFC 6265bis, 4.1.3.2).
 */
const nameOf = (cookie: CookieName, { publicUrl }: Addresses) =>
  publicUrl.startsWith('https:') ? `__Host-stemma_${cookie}` : `stemma_${cookie}`;

/**
 * The `Set-Cookie` header of a cookie that scripts cannot read and that other sites cannot send along with their
 * requests.
 */
export function setCookie(cookie: CookieName, value: string, maxAgeSeconds: number, config: Addresses): string {
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${nameOf(cookie, config)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** As long as the slowest way to sign in takes, since one cookie serves all that a browser has begun. */
const SIGN_IN_COOKIE_SECONDS = 3_600;

/**
 * The `Set-Cookie` header with the secret that binds a sign-in, or the creation of a passkey, to the browser. Their
 * expiry is stored with them; the cookie outlives them, so that starting one does not cut another short.
 */
export const signInCookie = (secret: string, config: Addresses): { 'set-cookie': string } => ({
  'set-cookie': setCookie('sign_in', secret, SIGN_IN_COOKIE_SECONDS, config),
});

/** The value of a cookie in a request. Undefined if it is absent, ambiguous or not a random value of ours. */
export function cookieIn(cookie: CookieName, { headers }: FastifyRequest, config: Addresses): string | undefined {
  const start = `${nameOf(cookie, config)}=`;
  const values = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start));
  const value = values.length === 1 ? values[0]?.slice(start.length) : undefined;
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/**
 * The session of a request: the value of its cookie, unless a token takes precedence. Throws FORBIDDEN for requests
 * that a page of another origin may have sent (OWASP, "Cross-Site Request Forgery Prevention"). Published sites can be
 * on the same host, so that a session is never valid for their documents.
 */
export function sessionSecretOf(request: FastifyRequest, config: Addresses): string | undefined {
  const { headers, method } = request;
  const session = headers.authorization === undefined ? cookieIn('session', request, config) : undefined;
  if (session === undefined || isOfSites(request, config)) return undefined;
  const isSafe = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  const isOwn = headers.origin === undefined ? isSafe : headers.origin === new URL(config.publicUrl).origin;
  if (isOwn && (isSafe ? isOwnRead(headers) : true)) return session;
  throw forbidden(
    `Requests with a session cookie must come from a page of this service, with the header "Origin: ${config.publicUrl}". Other clients need an access token.`,
  );
}

/** Reads of other sites are only allowed as links that a person follows (Fetch Metadata Request Headers). */
function isOwnRead(headers: FastifyRequest['headers']): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none' || headers['sec-fetch-mode'] === 'navigate';
}

/** Whether the request is for a document of a published site. */
function isOfSites({ url, headers }: FastifyRequest, { publicUrl, sitesUrl }: Addresses): boolean {
  const sites = new URL(sitesUrl);
  if (sites.host !== new URL(publicUrl).host) return headers.host === sites.host;
  const folder = sites.pathname.replace(/\/$/, '');
  const path = url.split('?', 1)[0] ?? '';
  return folder !== '' && (path === folder || path.startsWith(`${folder}/`));
}
