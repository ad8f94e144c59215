import type { IncomingHttpHeaders } from 'node:http';
import type { Services } from '../../../platform/context/services.ts';
import { countVisit } from '../insights/index.ts';
import type { CachedResponse } from './cache.ts';
import type { FoundSite } from './find-site.ts';

/** Programs that read pages without a person, by words in the header `User-Agent`. */
const PROGRAM =
  /bot|crawl|spider|slurp|scan|monitor|check|preview|fetch|scrape|headless|lighthouse|curl|wget|python|java\/|okhttp|go-http|node|axios|http-?client|libwww|perl|ruby|php/i;

/** Longer headers are of no browser. */
const MAX_AGENT = 1_000;

/**
 * Counts the request of a person for a page or a search. Nothing that identifies the person is kept: no address, no
 * cookie, no browser. Programs, and pages that a browser loads before they are visited, are not counted.
 */
export function countRequest(
  services: Services,
  site: FoundSite,
  { status, pageId, isSearch }: CachedResponse,
  { headers, query }: { headers: IncomingHttpHeaders; query: Readonly<Record<string, string>> },
): void {
  if (status !== 200 || !isPerson(headers)) return;
  if (pageId !== undefined) countVisit(services, site, { type: 'page_view', pageId, referrer: referrerOf(headers) });
  if (isSearch && query.q) countVisit(services, site, { type: 'search_type_query', query: query.q });
}

function isPerson({ 'user-agent': agent, 'sec-purpose': purpose, purpose: older }: IncomingHttpHeaders): boolean {
  if (!agent || agent.length > MAX_AGENT || PROGRAM.test(agent)) return false;
  return ![purpose, older].some((value) => String(value).includes('prefetch'));
}

/** Only other websites are referrers. */
function referrerOf({ referer, host }: IncomingHttpHeaders): string | undefined {
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  return new URL(referer).host === host ? undefined : referer;
}
