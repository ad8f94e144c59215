import { type Html, type HtmlValue, html } from '../../../lib/web/html.ts';
import type { Frame } from './frame.ts';

/** A choice of the visitor. Without one, the browser decides. */
export type ColorMode = 'light' | 'dark';

const COOKIE = 'stemma-mode';
const PARAMETER = 'mode';
const YEAR_SECONDS = 31_536_000;

const isMode = (value: string | undefined): value is ColorMode => value === 'light' || value === 'dark';

/** The choice that a request carries. */
export function modeIn(cookie: string | undefined): ColorMode | undefined {
  const [, value] = /(?:^|; ?)stemma-mode=(light|dark)(?:;|$)/.exec(cookie ?? '') ?? [];
  return isMode(value) ? value : undefined;
}

/**
 * The cookie that a link of the switch sets, for the page that it leads to. Pages have no scripts and no origin, so that the
 * server remembers the choice. Undefined for other requests.
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

const HALF = html`<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true"><circle cx="8" cy="8" r="6"/><path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor"/></svg>`;

/** The links that choose a mode, if the appearance lets visitors choose. `query` is that of a page of search results. */
export function modeHtml({ place }: Frame, query: string): HtmlValue {
  const { look, words, mode } = place;
  if (!look.themes.toggeable) return undefined;
  const link = (chosen: ColorMode | 'system', label: string): Html => {
    const parameters = new URLSearchParams([...(query === '' ? [] : [['q', query]]), [PARAMETER, chosen]]);
    const isCurrent = (mode ?? 'system') === chosen;
    return html`<li><a href="?${parameters.toString()}" rel="nofollow"${isCurrent && html` aria-current="true"`}>${label}</a></li>`;
  };
  const links = [link('light', words.light), link('dark', words.dark), link('system', words.system)];
  return html`<details class="drop modes"><summary aria-label="${words.mode}">${HALF}</summary><ul>${links}</ul></details>`;
}
