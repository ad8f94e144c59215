import { type Html, type HtmlValue, html } from '../../../lib/web/html.ts';
import { type ColorMode, PARAMETER } from './color-mode.ts';
import type { Frame } from './frame.ts';

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
