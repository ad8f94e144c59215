/** The rules of a `robots.txt` for one crawler. */
export interface RobotRules {
  /** Whether a URL may be read. Takes its path and query. */
  allows(pathAndQuery: string): boolean;
  /** Seconds between two requests by `Crawl-delay`, if specified. */
  delay: number | undefined;
  sitemaps: string[];
}

interface Rule {
  isAllowed: boolean;
  /** The literal parts between asterisks. */
  parts: string[];
  /** Whether the pattern ends with `$`, which matches the end of the URL. */
  isWhole: boolean;
  length: number;
}

interface Group {
  rules: Rule[];
  /** Number of parts of all rules. */
  parts: number;
  delay?: number;
}

/** URLs are not longer, so longer patterns never match. */
const MAX_LINE = 2048;
/** Maximum number of rules for a crawler. Further rules are ignored. */
const MAX_RULES = 2000;
/**
 * Maximum number of literal parts of all rules for a crawler. Each part is searched for in every URL. Further rules
 * are ignored.
 */
const MAX_PARTS = 10_000;
const MAX_SITEMAPS = 100;

/**
 * Parses a `robots.txt` (RFC 9309) for a crawler, named in lower case. Linear in the length of the text. `allows` is
 * linear in the length of the URL and of up to 2,000 patterns, whose asterisks divide them into up to 10,000 parts.
 */
export function parseRobots(text: string, robot: string): RobotRules {
  const specific: Group = { rules: [], parts: 0 };
  const general: Group = { rules: [], parts: 0 };
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
      if (agent === robot) groups.add(specific);
      if (agent === '*') groups.add(general);
    } else if (name === 'sitemap') {
      if (value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
    } else {
      isHead = false;
      for (const group of groups) take(group, name, value);
    }
  }
  const { rules, delay } = isNamed ? specific : general;
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
    // Before the work on a rule that is ignored.
    const parts = group.parts + asterisksIn(value) + 1;
    if (parts > MAX_PARTS) return;
    group.parts = parts;
    group.rules.push(ruleOf(value, name === 'allow'));
  }
}

function asterisksIn(pattern: string): number {
  let count = 0;
  for (let at = pattern.indexOf('*'); at !== -1; at = pattern.indexOf('*', at + 1)) count++;
  return count;
}

function ruleOf(value: string, isAllowed: boolean): Rule {
  const pattern = encoded(value);
  const isWhole = pattern.endsWith('$');
  return { isAllowed, parts: (isWhole ? pattern.slice(0, -1) : pattern).split('*'), isWhole, length: pattern.length };
}

/** The longest matching rule decides; in case of a tie, the one that allows (RFC 9309, section 2.2.2). */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let decisive: Rule | undefined;
  for (const rule of rules) {
    const isWeaker =
      decisive && (rule.length < decisive.length || (rule.length === decisive.length && !rule.isAllowed));
    if (!isWeaker && matches(rule, path)) decisive = rule;
  }
  return decisive?.isAllowed ?? true;
}

/** Matches each asterisk with as little as possible, which leaves the most for the following parts. */
function matches({ parts: [first = '', ...others], isWhole }: Rule, path: string): boolean {
  if (!path.startsWith(first)) return false;
  const last = isWhole ? others.pop() : undefined;
  let at = first.length;
  for (const part of others) {
    const index = path.indexOf(part, at);
    if (index === -1) return false;
    at = index + part.length;
  }
  if (last === undefined) return !isWhole || at === path.length;
  return path.length - last.length >= at && path.endsWith(last);
}

/** Percent-encodes a pattern like a URL, in upper case, so that both can be compared (RFC 9309, section 2.2.2). */
function encoded(pattern: string): string {
  return withUpperHex(encodeURI(pattern.toWellFormed()).replaceAll('%25', '%'));
}

const withUpperHex = (path: string) => path.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
