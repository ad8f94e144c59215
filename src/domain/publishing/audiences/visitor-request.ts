import { type UnsignedClaims, unsignedClaims } from './claims.ts';

/** A request to a published site, as far as it identifies the visitor. */
export interface VisitorRequest {
  /** The absolute URL, or path and query string. */
  url: string;
  authorization?: string | undefined;
  /** The header `Cookie`. */
  cookie?: string | undefined;
}

/** Credentials of a visitor in a request. */
export interface VisitorOfRequest {
  jwtToken: string | undefined;
  /** Location of the token. A token in the query means that the visitor returns from signing in. */
  tokenFrom: 'header' | 'query' | 'cookie' | undefined;
  unsignedClaims: UnsignedClaims;
}

const TOKEN_COOKIE = 'gitbook-visitor-token';
const PUBLIC_COOKIE = 'gitbook-visitor-public';
const CLAIM_PARAMETER = 'visitor.';

/**
 * The credentials in a request to a published site. A token is looked for in the header `Authorization` and the query
 * parameters `access_token` and `jwt_token`, then in the cookies `gitbook-visitor-token~…` (JSON `{ basePath, token }`,
 * of the longest base path that contains the request's path) and `gitbook-visitor-token`. Claims that are not signed
 * come from cookies `gitbook-visitor-public…` (JSON objects) and, over them, from query parameters `visitor.<path>`.
 */
export function visitorOfRequest({ url, authorization, cookie }: VisitorRequest): VisitorOfRequest {
  const { pathname, searchParams } = new URL(url, 'http://site.invalid');
  const cookies = cookiesIn(cookie ?? '');
  const [tokenFrom, jwtToken] =
    (
      [
        ['header', /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]],
        ['query', searchParams.get('access_token') ?? searchParams.get('jwt_token')],
        ['cookie', tokenIn(cookies, pathname)],
      ] as const
    ).find(([, token]) => token) ?? [];
  return { jwtToken: jwtToken ?? undefined, tokenFrom, unsignedClaims: unsignedIn(cookies, searchParams) };
}

type Cookies = readonly (readonly [name: string, value: string])[];

/** The pairs of a header `Cookie` (RFC 6265, section 4.2.1), in order. Values that are percent-encoded are decoded. */
function cookiesIn(header: string): Cookies {
  return header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at === -1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const];
  });
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function tokenIn(cookies: Cookies, pathname: string): string | undefined {
  const scoped = cookies
    .flatMap(([name, value]) => (name.startsWith(`${TOKEN_COOKIE}~`) ? [objectIn(value)] : []))
    .filter((payload) => isText(payload?.basePath) && isText(payload?.token) && isWithin(pathname, payload.basePath))
    .map((payload) => payload as { basePath: string; token: string }) // just checked
    .sort((one, other) => other.basePath.length - one.basePath.length);
  return scoped[0]?.token ?? cookies.find(([name]) => name === TOKEN_COOKIE)?.[1];
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isWithin = (pathname: string, basePath: string) =>
  `${pathname}/`.startsWith(basePath.endsWith('/') ? basePath : `${basePath}/`);

function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined; // just checked
  } catch {
    return undefined;
  }
}

function unsignedIn(cookies: Cookies, searchParams: URLSearchParams): UnsignedClaims {
  const claims: Record<string, unknown> = Object.create(null);
  for (const [name, value] of cookies) {
    if (name.startsWith(PUBLIC_COOKIE)) Object.assign(claims, objectIn(value));
  }
  for (const [name, value] of searchParams) {
    if (name.startsWith(CLAIM_PARAMETER))
      setAt(claims, name.slice(CLAIM_PARAMETER.length).split('.'), typedValue(value));
  }
  return unsignedClaims(claims);
}

/** Sets a member by its path, and replaces what is not an object on the way. */
function setAt(claims: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [last = ''] = path.slice(-1);
  let place = claims;
  for (const name of path.slice(0, -1)) {
    const next = ownObject(place[name]);
    place[name] = next;
    place = next;
  }
  place[last] = value;
}

/**
 * The value if it is an object without a prototype, and otherwise a copy without one, so that each object is copied
 * once.
 */
function ownObject(value: unknown): Record<string, unknown> {
  const object = typeof value === 'object' && value !== null ? value : {};
  return Object.getPrototypeOf(object) === null
    ? (object as Record<string, unknown>) // just checked
    : Object.assign(Object.create(null), object);
}

const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

/** Query strings have no types: the words of JSON and numbers are taken as such. */
function typedValue(text: string): unknown {
  if (Object.hasOwn(WORDS, text)) return WORDS[text];
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}
