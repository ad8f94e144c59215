import { readSitemap } from '../../../../lib/crawl/sitemap.ts';
import type { GuardedFetch } from '../../../../platform/outbound/guarded-fetch.ts';
import { fetchText } from './fetch-text.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_SITEMAPS = 10;

/** URLs in the sitemaps of an origin. Sitemaps that cannot be read or belong to another origin are skipped. */
export async function readSitemaps(fetch: GuardedFetch, origin: string, named: readonly string[]): Promise<string[]> {
  const queue = named.length > 0 ? [...named] : [`${origin}/sitemap.xml`];
  const urls: string[] = [];
  for (let count = 0; count < MAX_SITEMAPS; count++) {
    const address = queue.shift();
    if (address === undefined) break;
    if (URL.parse(address)?.origin !== origin) continue;
    const fetched = await fetchText(fetch, address, MAX_BYTES, 'application/xml, text/xml');
    if ('failure' in fetched) continue;
    const { isIndex, addresses } = readSitemap(fetched.bytes.toString('utf8'));
    if (isIndex) queue.push(...addresses.slice(0, MAX_SITEMAPS));
    else for (const url of addresses) urls.push(url);
  }
  return urls;
}
