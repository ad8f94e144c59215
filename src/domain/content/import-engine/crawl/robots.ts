import { parseRobots, type RobotRules } from '../../../../lib/crawl/robots.ts';
import type { GuardedFetch } from '../../../../platform/outbound/guarded-fetch.ts';
import { fetchText } from './fetch-text.ts';

/** Crawlers must parse at least 500 KiB (RFC 9309, section 2.5). Websites with a larger file cannot be read. */
const MAX_BYTES = 512 * 1024;

/** The product token by which `robots.txt` can address this crawler. */
const ROBOT = 'Stemma';

const MAX_DELAY_SECONDS = 10;

/** The rules of `robots.txt`. */
export interface Robots {
  allows(address: string): boolean;
  /** Seconds between two requests, if specified. */
  delay: number | undefined;
  sitemaps: string[];
}

/**
 * Reads `robots.txt` of an origin. Returns a string with the reason if nothing may be read (RFC 9309, section 2.3.1).
 */
export async function readRobots(fetch: GuardedFetch, origin: string): Promise<Robots | string> {
  const fetched = await fetchText(fetch, `${origin}/robots.txt`, MAX_BYTES, 'text/plain');
  const everything: Robots = { allows: () => true, delay: undefined, sitemaps: [] };
  if ('failure' in fetched) {
    const { status, failure } = fetched;
    if (status !== undefined && status < 500) return everything;
    return `its robots.txt cannot be read: ${failure}`;
  }
  return robotsOf(parseRobots(fetched.bytes.toString('utf8'), ROBOT.toLowerCase()), origin);
}

/** The rules apply to their own origin. URLs of other origins are allowed. */
function robotsOf({ allows, delay, sitemaps }: RobotRules, origin: string): Robots {
  return {
    allows(address) {
      const url = URL.parse(address);
      return url?.origin !== origin || allows(url.pathname + url.search);
    },
    delay: delay === undefined ? undefined : Math.min(delay, MAX_DELAY_SECONDS),
    sitemaps,
  };
}
