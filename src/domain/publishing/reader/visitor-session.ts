import { createHash } from 'node:crypto';
import { toLocalPath } from '../../../lib/local-path.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { signInUrl, signingPages } from '../audiences/index.ts';
import type { FoundSite } from './find-site.ts';

/** Redirect of a visitor, with a cookie to set. */
export interface VisitorRedirect {
  location: string;
  cookie?: string;
}

/**
 * Stores the token of a visitor who returns from signing in in a cookie, and removes it from the URL. BAD_USER_INPUT if
 * it does not fit.
 */
export function acceptVisitorToken(
  { services: { config, clock } }: Context,
  url: string,
  base: string,
  { token, expiresAt }: { token: string; expiresAt: number | undefined },
): VisitorRedirect {
  if (!fitsCookie(base, token)) {
    const message = `The token is too long: browsers keep cookies of up to ${MAX_COOKIE} bytes. The owner of the site can issue one with fewer claims.`;
    throw badInput(['jwt_token'], message, 'TOO_LONG');
  }
  const [path = ''] = url.split(/[?#]/, 1);
  const { searchParams } = new URL(url, 'http://site.invalid');
  searchParams.delete('jwt_token');
  searchParams.delete('access_token');
  const query = searchParams.size === 0 ? '' : `?${searchParams}`;
  const age =
    expiresAt === undefined ? '' : `; Max-Age=${Math.max(0, expiresAt - Math.floor(clock().getTime() / 1000))}`;
  return { location: toLocalPath(`${path}${query}`), cookie: cookieOf(config, base, cookieValue(base, token), age) };
}

/** Browsers drop cookies whose name and value have more bytes together (RFC 6265bis, section 5.7). */
const MAX_COOKIE = 4_096;

/** Whether browsers keep the cookie of a token. */
export const fitsCookie = (base: string, token: string): boolean =>
  cookieName(base).length + cookieValue(base, token).length <= MAX_COOKIE;

const cookieName = (base: string) =>
  `gitbook-visitor-token~${createHash('sha256').update(base).digest('hex').slice(0, 16)}`;

const cookieValue = (base: string, token: string) =>
  encodeURIComponent(JSON.stringify({ basePath: base || '/', token }));

/** The cookie that stores the token of a visitor. */
function cookieOf({ sitesUrl }: { sitesUrl: string }, base: string, value: string, age: string): string {
  const secure = sitesUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(base)}=${value}; Path=${base || '/'}${age}; HttpOnly; SameSite=Lax${secure}`;
}

/**
 * `~gitbook/auth/login`, which redirects to the sign-in page and then to the path `location` of the site, and
 * `~gitbook/auth/logout`, which deletes the token and redirects to the sign-out page, or to the site. Undefined for
 * other requests, and for sites that must answer like absent ones.
 */
export async function visitorSession(
  ctx: Context,
  site: FoundSite,
  { base, url, segments }: { base: string; url: string; segments: readonly string[] },
): Promise<VisitorRedirect | undefined> {
  const action =
    segments.length === 3 && segments[0] === '~gitbook' && segments[1] === 'auth' ? segments[2] : undefined;
  if ((action !== 'login' && action !== 'logout') || site.visibility === 'share-link') return undefined;
  const { fallbackUrl, logoutUrl } = await signingPages(ctx, site.id);
  const signIn = signInUrl(fallbackUrl, locationIn(url));
  if (action === 'login') return signIn && { location: signIn.href };
  if (site.visibility === 'visitor-auth' && !signIn) return undefined;
  const cookie = cookieOf(ctx.services.config, base, '', '; Max-Age=0');
  return { location: logoutUrl ?? toLocalPath(`${base}/`), cookie };
}

/** The path of the site to return to. */
function locationIn(url: string): string {
  const location = new URL(url, 'http://site.invalid').searchParams.get('location') ?? '/';
  return location.startsWith('/') ? location : '/';
}
