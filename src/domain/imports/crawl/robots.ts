import robotsParser from 'robots-parser';
import type { GuardedFetch } from '../../../platform/outbound/guarded-fetch.ts';
import { fetchText } from './fetch-text.ts';

// The module is a function of CommonJS; its typings describe a module of ECMAScript.
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

/** A robot reads at least 500 KiB (RFC 9309, 2.5); more rules than fit there are no rules for us. */
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
  const address = `${origin}/robots.txt`;
  const fetched = await fetchText(fetch, address, MAX_BYTES, 'text/plain');
  const everything: Robots = { allows: () => true, delay: undefined, sitemaps: [] };
  if ('failure' in fetched) {
    const { status, failure } = fetched;
    if (status !== undefined && status < 500) return everything;
    return `its robots.txt cannot be read: ${failure}`;
  }
  const rules = parseRobots(address, fetched.bytes.toString('utf8'));
  const delay = rules.getCrawlDelay(ROBOT);
  return {
    allows: (asked) => rules.isAllowed(asked, ROBOT) !== false,
    delay: delay === undefined ? undefined : Math.min(delay, MAX_DELAY_SECONDS),
    sitemaps: rules.getSitemaps(),
  };
}
