import { parseRobots, type RobotRules } from '../../../../lib/crawl/robots.ts';
import type { GuardedFetch } from '../../../../platform/outbound/guarded-fetch.ts';
import { fetchText } from './fetch-text.ts';

/** A robot reads at least 500 KiB (RFC 9309, 2.5); a site that has more cannot be read. */
const MAX_BYTES = 512 * 1024;

/** The name by which `robots.txt` may address us. */
export const ROBOT = 'Stemma';

const MAX_DELAY_SECONDS = 10;

/** What a site lets robots do. */
export interface Robots {
  allows(address: string): boolean;
  /** Seconds between two requests; undefined where nothing is said. */
  delay: number | undefined;
  sitemaps: string[];
}

/** Reads `robots.txt` of an origin; a string says why nothing of it may be read (RFC 9309, 2.3.1). */
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

/** Its rules are for its own origin: nothing is known of any other. */
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
