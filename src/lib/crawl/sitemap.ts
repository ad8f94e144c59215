const LOCATION = /<loc>\s*(?:<!\[CDATA\[)?([^<\]]{1,2048})/gi;

/** As many as a sitemap may have (sitemaps.org, "Sitemap file requirements"). */
const MAX_ADDRESSES = 50_000;

/** The addresses in a sitemap (sitemaps.org, 0.9), and whether they are those of further sitemaps. */
export function readSitemap(xml: string): { isIndex: boolean; addresses: string[] } {
  const addresses = Array.from(xml.matchAll(LOCATION).take(MAX_ADDRESSES), ([, text = '']) => unescaped(text.trim()));
  return { isIndex: /<sitemapindex[\s>]/i.test(xml), addresses };
}

/** The five entities that XML has by itself; any other stays as it is. */
const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
