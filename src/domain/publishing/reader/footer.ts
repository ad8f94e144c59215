import { type HtmlValue, html } from '../../../lib/document-html/html.ts';
import { modeOf, type PageFrame } from './frame.ts';
import { appearanceLinkHtml } from './header.ts';

const PROFILES: Readonly<Record<string, string>> = {
  twitter: 'https://x.com/',
  instagram: 'https://www.instagram.com/',
  facebook: 'https://www.facebook.com/',
  linkedin: 'https://www.linkedin.com/',
  github: 'https://github.com/',
  discord: 'https://discord.com/invite/',
  slack: 'https://join.slack.com/t/',
  youtube: 'https://www.youtube.com/',
  tiktok: 'https://www.tiktok.com/@',
  reddit: 'https://www.reddit.com/',
  bluesky: 'https://bsky.app/profile/',
  mastodon: 'https://mastodon.social/@',
  threads: 'https://www.threads.net/@',
  medium: 'https://medium.com/@',
};

/** The footer of the appearance. Nothing if it has no content. */
export function footerHtml(frame: PageFrame): HtmlValue {
  const { footer, privacyPolicy, socialAccounts } = frame.place.look;
  const groups = footer.groups.map(
    ({ title, links }) =>
      html`<section><h2>${title}</h2><ul>${links.map((link) => html`<li>${appearanceLinkHtml(frame, link)}</li>`)}</ul></section>`,
  );
  const social = socialAccounts
    .filter(({ display, platform }) => display.footer && PROFILES[platform] !== undefined)
    .map(
      ({ platform, handle }) =>
        html`<a href="${PROFILES[platform]}${encodeURI(handle)}" rel="noopener me">${nameOf(platform)}</a>`,
    );
  const policy =
    privacyPolicy.url !== undefined &&
    html`<a href="${privacyPolicy.url}" rel="noopener">${frame.place.words.privacy}</a>`;
  const copyright = footer.copyright && html`<p class="copyright">${footer.copyright}</p>`;
  const parts = [
    logoHtml(frame),
    ...groups,
    social.length > 0 && html`<p class="social">${social}</p>`,
    policy,
    copyright,
  ];
  if (parts.every((part) => !part)) return undefined;
  return html`<footer class="bottom"><div>${parts}</div></footer>`;
}

const nameOf = (platform: string) => `${platform.slice(0, 1).toUpperCase()}${platform.slice(1)}`;

function logoHtml({ place }: PageFrame): HtmlValue {
  const { logo } = place.look.footer;
  if (!logo) return undefined;
  const mode = modeOf(place);
  const image = html`<img src="${mode === 'dark' ? logo.dark : logo.light}" alt="" loading="lazy">`;
  if (mode !== 'auto') return image;
  return html`<picture><source srcset="${logo.dark}" media="(prefers-color-scheme: dark)">${image}</picture>`;
}
