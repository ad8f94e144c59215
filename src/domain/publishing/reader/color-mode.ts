/** A choice of the visitor. Without one, the browser decides. */
export type ColorMode = 'light' | 'dark';

const COOKIE = 'stemma-mode';
/** Parameter of the links that choose. */
export const PARAMETER = 'mode';
const YEAR_SECONDS = 31_536_000;

const isMode = (value: string | undefined): value is ColorMode => value === 'light' || value === 'dark';

/** The choice that a request carries. */
export function modeIn(cookie: string | undefined): ColorMode | undefined {
  const [, value] = /(?:^|; ?)stemma-mode=(light|dark)(?:;|$)/.exec(cookie ?? '') ?? [];
  return isMode(value) ? value : undefined;
}

/**
 * The cookie that a link of the switch sets, for the page that it leads to. Pages have no scripts and no origin, so
 * that the server remembers the choice. Undefined for other requests.
 */
export function cookieOfChoice(
  { [PARAMETER]: chosen }: Readonly<Record<string, string>>,
  { path, isSecure }: { path: string; isSecure: boolean },
): string | undefined {
  if (!isMode(chosen) && chosen !== 'system') return undefined;
  const value = isMode(chosen) ? `${chosen}; Max-Age=${YEAR_SECONDS}` : '; Max-Age=0';
  return `${COOKIE}=${value}; Path=${path}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** A URL of the site without the choice. */
export function withoutChoice(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://site.invalid');
  searchParams.delete(PARAMETER);
  return `${pathname}${searchParams.size === 0 ? '' : `?${searchParams}`}`;
}
