/**
 * Ranks: strings that order siblings when compared byte by byte (PostgreSQL's collation "C"). Inserting a sibling only
 * writes the rank of the new one.
 *
 * A rank consists of an integer and a fraction, both in base 62. The first digit encodes the number of digits of the
 * integer, counted from the middle of the alphabet; below it, integers are negative. Appending and prepending count the
 * integer up and down, so the length of ranks grows with the logarithm of the count. Only insertions at the same place
 * need fractions, which grow by one digit for every five or six insertions. A fraction never ends in `0`, so that there
 * is always room below it.
 */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LOWEST = '0';
const HIGHEST = 'z';
const BASE = DIGITS.length;
/** The first digit of 0 and of the other positive numbers with one digit. */
const MIDDLE = BASE / 2;

/** Maximum length of a rank before its siblings should get new ranks: see `needsRebalance`. */
export const MAX_RANK_CHARACTERS = 64;

/** Whether insertions at the same place made a rank so long that all siblings should get new ranks. */
export const needsRebalance = (rank: string) => rank.length > MAX_RANK_CHARACTERS;

/**
 * A rank strictly between two others; null is an open end. Throws a RangeError if `after` is not before `before`, or if
 * one of them is not a valid rank.
 */
export function rankBetween(after: string | null, before: string | null): string {
  if (after !== null && before !== null && after >= before)
    throw new RangeError(`"${after}" is not before "${before}".`);
  const low = after === null ? undefined : parse(after);
  const high = before === null ? undefined : parse(before);
  if (low === undefined) return high === undefined ? `${DIGITS[MIDDLE]}${LOWEST}` : below(high);
  const next = increment(low.number);
  if (high === undefined || (next !== undefined && next < `${high.number}${high.fraction}`)) {
    return next ?? `${low.number}${middle(low.fraction, null)}`;
  }
  return `${low.number}${middle(low.fraction, low.number === high.number ? high.fraction : null)}`;
}

/** `count` ascending ranks strictly between two others, distributed evenly. */
export function ranksBetween(after: string | null, before: string | null, count: number): string[] {
  if (count <= 0) return [];
  if (before === null) return repeated(count, after, (rank) => rankBetween(rank, null));
  if (after === null) return repeated(count, before, (rank) => rankBetween(null, rank)).reverse();
  const left = Math.floor((count - 1) / 2);
  const rank = rankBetween(after, before);
  return [...ranksBetween(after, rank, left), rank, ...ranksBetween(rank, before, count - 1 - left)];
}

interface Rank {
  number: string;
  fraction: string;
}

function parse(rank: string): Rank {
  const size = 1 + sizeOf(rank);
  const [number, fraction] = [rank.slice(0, size), rank.slice(size)];
  if (number.length < size || fraction.endsWith(LOWEST) || !/^[0-9A-Za-z]+$/.test(rank)) {
    throw new RangeError(`"${rank}" is not a valid rank.`);
  }
  return { number, fraction };
}

/** Number of digits after the first one. */
function sizeOf(number: string): number {
  const first = DIGITS.indexOf(number.charAt(0));
  return first >= MIDDLE ? first - MIDDLE + 1 : MIDDLE - first;
}

function below({ number, fraction }: Rank): string {
  if (fraction !== '') return number;
  const previous = decrement(number);
  if (previous === undefined) throw new RangeError('There is no rank before the lowest one.');
  return previous;
}

const increment = (number: string) => step(number, { by: 1, last: HIGHEST, first: LOWEST });
const decrement = (number: string) => step(number, { by: -1, last: LOWEST, first: HIGHEST });

/** The next number upwards or downwards; undefined at the end of all numbers. */
function step(number: string, { by, last, first }: { by: 1 | -1; last: string; first: string }): string | undefined {
  for (let place = number.length - 1; place > 0; place--) {
    const digit = number.charAt(place);
    if (digit === last) continue;
    return number.slice(0, place) + DIGITS[DIGITS.indexOf(digit) + by] + first.repeat(number.length - place - 1);
  }
  const head = DIGITS[DIGITS.indexOf(number.charAt(0)) + by];
  return head && head + first.repeat(sizeOf(head));
}

/** A fraction strictly between two, where null is 1. `low` is below `high`, and neither ends in the lowest digit. */
function middle(low: string, high: string | null): string {
  let shared = 0;
  while (high !== null && (low[shared] ?? LOWEST) === high[shared]) shared++;
  if (shared > 0) return high?.slice(0, shared) + middle(low.slice(shared), high?.slice(shared) ?? null);
  const from = DIGITS.indexOf(low[0] ?? LOWEST);
  const to = high === null ? BASE : DIGITS.indexOf(high.charAt(0));
  if (to - from > 1) return DIGITS.charAt((from + to) >> 1);
  if (high !== null && high.length > 1) return high.charAt(0);
  return DIGITS.charAt(from) + middle(low.slice(1), null);
}

function repeated(count: number, start: string | null, next: (rank: string | null) => string): string[] {
  const ranks: string[] = [];
  for (let rank = start; ranks.length < count; ranks.push(rank)) rank = next(rank);
  return ranks;
}
