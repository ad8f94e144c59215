import { emojiOfCode } from '../../../lib/document/emoji.ts';
import { solidColors } from '../../../lib/document-html/colors.ts';
import { html } from '../../../lib/document-html/html.ts';
import type { SiteResponse } from './cache.ts';
import type { SitePlace, SiteView } from './site-view.ts';

const SVG_TYPE = { 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'; sandbox" };

/** The icon of the site: a redirect to its image, or an image with its emoji or the first letter of its title. */
export function siteIconResponse({ site }: SiteView, { look }: SitePlace, theme: string | undefined): SiteResponse {
  const { light, dark, emoji } = site.icon ?? {};
  const image = theme === 'dark' ? dark : light;
  if (image != null) return { status: 302, headers: { location: image, 'cache-control': 'max-age=300' }, body: '' };
  const symbol = emoji == null ? undefined : (emojiOfCode(emoji) ?? emoji);
  const body =
    symbol === undefined
      ? letter([...(look.title ?? site.title)][0] ?? '', look.styling.primaryColor.light)
      : html`<text x="32" y="33" font-size="52" text-anchor="middle" dominant-baseline="central">${symbol}</text>`;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">${body}</svg>`;
  return { status: 200, headers: { ...SVG_TYPE, 'cache-control': 'max-age=300' }, body: svg.source };
}

function letter(first: string, color: string) {
  const { back, ink } = solidColors(color);
  return html`<rect width="64" height="64" rx="14" fill="${back}"/><text x="32" y="34" font-family="system-ui, sans-serif" font-weight="700" font-size="36" fill="${ink}" text-anchor="middle" dominant-baseline="central">${first.toUpperCase()}</text>`;
}
