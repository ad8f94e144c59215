/** Longest local part and domain (RFC 5321, 4.5.3.1). */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;

const LOCAL = /[\p{L}\p{N}\p{M}._%+'&*/=?^`{|}~!#$-]/u;
const DOMAIN = /[\p{L}\p{N}\p{M}.-]/u;

/** Replaces e-mail addresses. Each `@` is looked at with a bounded number of characters around it. */
export function redactEmails(text: string): string {
  let redacted = '';
  let done = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const from = startOf(text, at, done);
    const to = endOf(text, at);
    if (from === at || to === undefined) continue;
    redacted += `${text.slice(done, from)}[email]`;
    done = to;
  }
  return redacted + text.slice(done);
}

function startOf(text: string, at: number, done: number): number {
  let from = at;
  while (from > done && at - from < MAX_LOCAL && LOCAL.test(text[from - 1] ?? '')) from--;
  return from;
}

/** The end of the domain, which has at least two labels or is `localhost`; undefined if there is none. */
function endOf(text: string, at: number): number | undefined {
  let to = at + 1;
  while (to < text.length && to - at <= MAX_DOMAIN && DOMAIN.test(text[to] ?? '')) to++;
  while (to > at + 1 && /[.-]/.test(text[to - 1] ?? '')) to--;
  const domain = text.slice(at + 1, to);
  return /^[^.].*\../su.test(domain) ? to : undefined;
}
