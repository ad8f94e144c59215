/** What a `robots.txt` says to one robot. */
export interface RobotRules {
  /** Whether an address may be read, by its path and query as a URL has them. */
  allows(pathAndQuery: string): boolean;
  /** Seconds between two requests, as `Crawl-delay` asks for; undefined where it does not. */
  delay: number | undefined;
  sitemaps: string[];
}

interface Rule {
  isAllowed: boolean;
  /** The parts of the pattern between its asterisks. */
  parts: string[];
  /** Whether the pattern ends in `$`: nothing follows what it matches. */
  isWhole: boolean;
  length: number;
}

interface Group {
  rules: Rule[];
  delay?: number;
}

/** Addresses are not longer, so a longer pattern matches none. */
const MAX_LINE = 2048;
/** Of one robot; the first count. */
const MAX_RULES = 2000;
const MAX_SITEMAPS = 100;

/**
 * Reads a `robots.txt` (RFC 9309) for the robot of a name, given in lower case. Linear in the text; asking for an address is
 * linear in it and the patterns, of which at most 2,000 count.
 */
export function parseRobots(text: string, robot: string): RobotRules {
  const own: Group = { rules: [] };
  const general: Group = { rules: [] };
  const sitemaps: string[] = [];
  let isNamed = false;
  let groups = new Set<Group>();
  let isHead = false;
  for (const { name, value } of linesOf(text)) {
    if (name === 'user-agent') {
      if (!isHead) groups = new Set();
      isHead = true;
      const agent = value.split('/', 1)[0]?.trim().toLowerCase();
      if (agent === robot) isNamed = true;
      if (agent === robot) groups.add(own);
      if (agent === '*') groups.add(general);
    } else if (name === 'sitemap') {
      if (value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
    } else {
      isHead = false;
      for (const group of groups) take(group, name, value);
    }
  }
  const { rules, delay } = isNamed ? own : general;
  return { allows: (path) => isAllowed(rules, withUpperHex(path)), delay, sitemaps };
}

function* linesOf(text: string): Generator<{ name: string; value: string }> {
  for (const line of text.replace(/^\ufeff/, '').split(/[\r\n]/)) {
    const colon = line.indexOf(':');
    const comment = line.indexOf('#');
    if (colon === -1 || (comment !== -1 && comment < colon)) continue;
    const value = line.slice(colon + 1, comment === -1 ? undefined : comment).trim();
    if (value.length <= MAX_LINE) yield { name: line.slice(0, Math.min(colon, 50)).trim().toLowerCase(), value };
  }
}

function take(group: Group, name: string, value: string): void {
  if (name === 'crawl-delay') {
    const delay = value === '' ? Number.NaN : Number(value);
    if (delay >= 0) group.delay = delay;
  } else if ((name === 'allow' || name === 'disallow') && value !== '' && group.rules.length < MAX_RULES) {
    group.rules.push(ruleOf(value, name === 'allow'));
  }
}

function ruleOf(written: string, isAllowed: boolean): Rule {
  const pattern = encoded(written);
  const isWhole = pattern.endsWith('$');
  return { isAllowed, parts: (isWhole ? pattern.slice(0, -1) : pattern).split('*'), isWhole, length: pattern.length };
}

/** The longest rule that matches decides; of two of one length, the one that allows (RFC 9309, 2.2.2). */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let decisive: Rule | undefined;
  for (const rule of rules) {
    const isWeaker =
      decisive && (rule.length < decisive.length || (rule.length === decisive.length && !rule.isAllowed));
    if (!isWeaker && matches(rule, path)) decisive = rule;
  }
  return decisive?.isAllowed ?? true;
}

/** An asterisk takes as little as it can: what the next part matches first leaves the most for those behind it. */
function matches({ parts: [first = '', ...others], isWhole }: Rule, path: string): boolean {
  if (!path.startsWith(first)) return false;
  const last = isWhole ? others.pop() : undefined;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (last === undefined) return !isWhole || at === path.length;
  return path.length - last.length >= at && path.endsWith(last);
}

/** Percent-encoded as a URL is, in capitals, so that one place has one spelling (RFC 9309, 2.2.2). */
function encoded(pattern: string): string {
  return withUpperHex(encodeURI(pattern.toWellFormed()).replaceAll('%25', '%'));
}

const withUpperHex = (path: string) => path.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
