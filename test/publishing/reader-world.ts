import type { Client } from '../client.ts';
import { siteWith } from './arrange.ts';

/** A response of a site. */
export interface Shown {
  status: number;
  headers: Headers;
  text: string;
}

/** Requests a path of a published site, without following redirects. */
export async function show(url: string, headers: Record<string, string> = {}): Promise<Shown> {
  const response = await fetch(url, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Number of changes that one mutation takes. */
const MAX_CHANGES = 50;

/** A space with pages. Returns its id and those of the pages. */
export async function spaceWith(
  client: Client,
  organizationId: string,
  title: string,
  pages: Record<string, unknown>[],
): Promise<{ spaceId: string; pageIds: string[] }> {
  const { body: space } = await client.post(`/v1/orgs/${organizationId}/spaces`, { title, empty: true });
  const pageIds: string[] = [];
  for (let from = 0; from < pages.length; from += MAX_CHANGES) {
    const changes = pages.slice(from, from + MAX_CHANGES).map((insertPage) => ({ insertPage }));
    const inserted = await client.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
    pageIds.push(...inserted.pageIds);
  }
  return { spaceId: space.id, pageIds };
}

/** Number of long pages that one mutation takes. */
const MAX_LONG = 5;

/** A space with pages of 190,000 bytes, `page-0` and so on. Returns its id. */
export async function spaceOfLongPages(client: Client, organizationId: string, count: number): Promise<string> {
  const { spaceId } = await spaceWith(client, organizationId, 'Long', []);
  for (let from = 0; from < count; from += MAX_LONG) {
    const changes = Array.from({ length: Math.min(MAX_LONG, count - from) }, (_, index) => ({
      insertPage: {
        title: `Page ${from + index}`,
        slug: `page-${from + index}`,
        document: { markdown: 'word '.repeat(38_000) },
      },
    }));
    await client.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  }
  return spaceId;
}

/** A published site. `at` returns the URL of a path on the server of the test, and `base` is its path. */
export async function publishedSite(client: Client, organizationId: string, settings: Record<string, unknown>) {
  const site = await siteWith(client, organizationId, settings);
  await client.post(`${site.path}/publish`);
  const { body } = await client.get(site.path);
  const base = new URL(body.urls.published).pathname.replace(/\/$/, '');
  return { ...site, base, at: (path = '') => `${client.url}${base}/${path}` };
}

/** The links in a page, without those that repeat. */
export const linksIn = ({ text }: Shown): string[] => [
  ...new Set([...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))),
];
