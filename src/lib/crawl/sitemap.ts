import { unescapeXml } from '../unescape-xml.ts';

const LOCATION = /<loc>\s*(?:<!\[CDATA\[)?([^<\]]{1,2048})/gi;

/** Maximum number of URLs in a sitemap (sitemaps.org, "Sitemap file requirements"). */
const MAX_ADDRESSES = 50_000;

/** The URLs in a sitemap (sitemaps.org, version 0.9), and whether they are URLs of further sitemaps. */
export function readSitemap(xml: string): { isIndex: boolean; addresses: string[] } {
  const addresses = Array.from(xml.matchAll(LOCATION).take(MAX_ADDRESSES), ([, text = '']) => unescapeXml(text.trim()));
  return { isIndex: /<sitemapindex[\s>]/i.test(xml), addresses };
}
