import type { SiteResponse } from './cache.ts';
import type { SiteView } from './site-view.ts';

/**
 * `robots.txt` (RFC 9309), with signals for the use of the content (Content Signals Policy). Unlisted sites ask not to
 * be crawled.
 */
export function robotsTxt({ site, url }: SiteView): SiteResponse {
  const isPublic = site.visibility === 'public';
  const yes = (value: boolean) => (value ? 'yes' : 'no');
  const lines = [
    'User-agent: *',
    `Content-Signal: search=${yes(isPublic)}, ai-input=${yes(isPublic && site.isForAgents)}, ai-train=${yes(isPublic && site.isForAgents)}`,
    ...(isPublic
      ? [
          `Disallow: ${new URL(url).pathname.replace(/\/$/, '')}/~gitbook/search`,
          'Allow: /',
          '',
          `Sitemap: ${url}/sitemap.xml`,
        ]
      : ['Disallow: /']),
  ];
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${lines.join('\n')}\n` };
}
