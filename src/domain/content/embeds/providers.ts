/**
 * Services whose pages are too long to search for the URL of their oEmbed endpoint: the hosts of their pages and the
 * endpoint. For all other services, the page is searched.
 */
const PROVIDERS: readonly (readonly [hosts: readonly string[], endpoint: string])[] = [
  [['youtube.com', 'm.youtube.com', 'youtu.be'], 'https://www.youtube.com/oembed'],
  [['vimeo.com'], 'https://vimeo.com/api/oembed.json'],
  [['open.spotify.com'], 'https://open.spotify.com/oembed'],
  [['soundcloud.com'], 'https://soundcloud.com/oembed'],
  [['codepen.io'], 'https://codepen.io/api/oembed'],
  [['loom.com'], 'https://www.loom.com/v1/oembed'],
];

/** URL of the oEmbed response for a page of a known service; undefined for all others. */
export function providerEndpoint(page: URL): string | undefined {
  const host = page.hostname.replace(/^www\./, '');
  const endpoint = PROVIDERS.find(([hosts]) => hosts.includes(host))?.[1];
  return endpoint && `${endpoint}?format=json&url=${encodeURIComponent(page.href)}`;
}
