const PRIVATE_KEY = '-----BEGIN ';

/** Prefixes of the keys and tokens of well-known services, which are followed by at least ten more characters. */
const PREFIXED =
  /^(?:sk|pk|rk|whsec|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abeoprs]|npm|stemma|gb_api|hf|shpat|dop_v1|AKIA|ASIA|AIza|SG|ya29|eyJ)[A-Za-z0-9_.~+=-]{10,}$/;

/** Characters of tokens; paths and addresses end at slashes. */
const RUN = /[A-Za-z0-9_][A-Za-z0-9_.~+=-]*/g;

const NAMED =
  /(password|passwort|passwd|pwd|secret|token|api[ _-]?key|access[ _-]?key)(["']?\s?[:=]\s?["']?)([^\s"',;[\]<>]{6,200})/gi;

const BEARER = /(bearer|basic)( )([A-Za-z0-9._~+/=-]{8,})/gi;

/**
 * Replaces private keys, values that are named as passwords, tokens or keys, credentials of the header `Authorization`,
 * tokens of well-known services, and long random text. Hashes of 32 or more hexadecimal digits count as random; UUIDs
 * do not.
 */
export function redactSecrets(text: string): string {
  return redactKeys(text)
    .replace(BEARER, (match, name: string, space: string, value: string) =>
      /\d/.test(value) ? `${name}${space}[token]` : match,
    )
    .replace(NAMED, (match, name: string, sign: string, value: string) =>
      /\d|[^\p{L}\p{N}.!?]/u.test(value) ? `${name}${sign}[token]` : match,
    )
    .replace(RUN, (run) => redactRun(run));
}

/** A private key from its first line to its last, or to the end of the text. */
function redactKeys(text: string): string {
  let redacted = '';
  let done = 0;
  for (let from = text.indexOf(PRIVATE_KEY); from >= 0; from = text.indexOf(PRIVATE_KEY, Math.max(done, from + 1))) {
    if (!/^-----BEGIN [A-Z ]{0,30}PRIVATE KEY/.test(text.slice(from, from + 60))) continue;
    const end = text.indexOf('-----END ', from);
    const close = end < 0 ? -1 : text.indexOf('-----', end + 9);
    redacted += `${text.slice(done, from)}[token]`;
    done = close < 0 ? text.length : close + 5;
    if (done >= text.length) break;
  }
  return redacted + text.slice(done);
}

function redactRun(run: string): string {
  const body = run.slice(0, endOfWord(run));
  if (PREFIXED.test(body) && /\d/.test(body)) return `[token]${run.slice(body.length)}`;
  if (run.length < 24) return run;
  return run
    .split('.')
    .map((part) => (isRandom(part) ? '[token]' : part))
    .join('.');
}

/** Start of the punctuation at the end. */
function endOfWord(run: string): number {
  let end = run.length;
  while (end > 0 && '.~+=-'.includes(run[end - 1] ?? '')) end--;
  return end;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Names in prose, code and addresses have few digits, and their words begin with a capital or have none. */
function isRandom(part: string): boolean {
  if (part.length < 24 || UUID.test(part)) return false;
  if (/^[0-9a-f]{32,}$/i.test(part)) return true;
  const digits = part.replace(/\D/g, '').length;
  return digits >= 3 && digits < part.length && hasLongMixture(part);
}

/** At least 16 characters without a break, with digits between letters in three or more places. */
function hasLongMixture(part: string): boolean {
  return part
    .split(/[-_~+=]/)
    .some((piece) => piece.length >= 16 && (piece.match(/[A-Za-z]\d|\d[A-Za-z]/g) ?? []).length >= 3);
}
