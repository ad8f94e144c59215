/** Maximum number of comparisons. Longer stretches are paired by unique items, or by position. */
const MAX_PAIRS = 250_000;

/** Criteria for pairing two sequences: equal texts first, then the best total similarity in between. */
export interface Likeness<T> {
  /** Equal for equal items. */
  identity(item: T): string;
  /** Similarity of two items that are not equal; 0 if they must not be paired. */
  score(a: T, b: T): number;
}

/**
 * For each item of `next` the index of its partner in `previous`, or -1. Pairs equal items in the same order first,
 * then equal items at other positions, then similar items between existing pairs.
 */
export function pairSequences<T>(previous: readonly T[], next: readonly T[], likeness: Likeness<T>): number[] {
  const before = previous.map(likeness.identity);
  const after = next.map(likeness.identity);
  const partners = new Array<number>(next.length).fill(-1);
  pairEqual(before, after, { a0: 0, a1: before.length, b0: 0, b1: after.length }, partners);
  pairMoved(before, after, partners);
  // One set for all gaps: they share no items, so that pairs within a gap do not matter to the others.
  const used = new Set(partners);
  for (const gap of gapsBetween(partners, previous.length))
    pairAlike({ previous, next, used }, gap, likeness, partners);
  return partners;
}

/** A stretch of both sequences: `a` is the previous one, `b` the next. */
interface Stretch {
  a0: number;
  a1: number;
  b0: number;
  b1: number;
}

function pairEqual(before: readonly string[], after: readonly string[], stretch: Stretch, partners: number[]): void {
  let { a0, a1, b0, b1 } = stretch;
  while (a0 < a1 && b0 < b1 && before[a0] === after[b0]) partners[b0++] = a0++;
  while (a0 < a1 && b0 < b1 && before[a1 - 1] === after[b1 - 1]) partners[--b1] = --a1;
  const inner = { a0, a1, b0, b1 };
  if (a0 === a1 || b0 === b1) return;
  if ((a1 - a0) * (b1 - b0) <= MAX_PAIRS) {
    pairBest(inner, (a, b) => (before[a] === after[b] ? 1 : 0), partners);
    return;
  }
  const anchors = uniqueAnchors(before, after, inner);
  if (anchors.length === 0) return;
  let from = { a: a0, b: b0 };
  for (const { a, b } of [...anchors, { a: a1, b: b1 }]) {
    pairEqual(before, after, { a0: from.a, a1: a, b0: from.b, b1: b }, partners);
    if (b < b1) partners[b] = a;
    from = { a: a + 1, b: b + 1 };
  }
}

/** Items that are unique on both sides, as the longest chain in the same order (patience sorting). */
function uniqueAnchors(
  before: readonly string[],
  after: readonly string[],
  { a0, a1, b0, b1 }: Stretch,
): { a: number; b: number }[] {
  const places = new Map<string, { a: number; b: number; countA: number; countB: number }>();
  for (let a = a0; a < a1; a++) {
    const place = places.get(before[a] ?? '') ?? { a, b: -1, countA: 0, countB: 0 };
    place.countA += 1;
    places.set(before[a] ?? '', place);
  }
  for (let b = b0; b < b1; b++) {
    const place = places.get(after[b] ?? '');
    if (!place) continue;
    place.countB += 1;
    place.b = b;
  }
  const unique = [...places.values()].filter(({ countA, countB }) => countA === 1 && countB === 1);
  return longestRising(unique.sort((x, y) => x.b - y.b));
}

function longestRising(places: readonly { a: number; b: number }[]): { a: number; b: number }[] {
  const tails: number[] = [];
  const previous = new Array<number>(places.length).fill(-1);
  places.forEach(({ a }, i) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[tails[middle] ?? 0]?.a ?? 0) < a) low = middle + 1;
      else high = middle;
    }
    previous[i] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = i;
  });
  const chain: { a: number; b: number }[] = [];
  for (let i = tails.at(-1) ?? -1; i >= 0; i = previous[i] ?? -1) {
    const place = places[i];
    if (place) chain.push(place);
  }
  return chain.reverse();
}

/** Equal items at other positions, each used once. */
function pairMoved(before: readonly string[], after: readonly string[], partners: number[]): void {
  const used = new Set(partners);
  const free = new Map<string, number[]>();
  for (let a = before.length - 1; a >= 0; a--) {
    if (used.has(a)) continue;
    const places = free.get(before[a] ?? '') ?? [];
    places.push(a);
    free.set(before[a] ?? '', places);
  }
  after.forEach((identity, b) => {
    if (partners[b] === -1) partners[b] = free.get(identity)?.pop() ?? -1;
  });
}

/** Unpaired items between partners that are in order. Moved items do not bound a gap. */
function gapsBetween(partners: readonly number[], count: number): Stretch[] {
  const rising = longestRising(partners.flatMap((a, b) => (a === -1 ? [] : [{ a, b }])));
  const gaps: Stretch[] = [];
  let from = { a: 0, b: 0 };
  for (const { a, b } of [...rising, { a: count, b: partners.length }]) {
    if (a > from.a && b > from.b) gaps.push({ a0: from.a, a1: a, b0: from.b, b1: b });
    from = { a: a + 1, b: b + 1 };
  }
  return gaps;
}

/** Two sequences, and the items of the previous one that have a partner outside of the gaps. */
interface Sequences<T> {
  previous: readonly T[];
  next: readonly T[];
  used: ReadonlySet<number>;
}

function pairAlike<T>(
  { previous, next, used }: Sequences<T>,
  gap: Stretch,
  { score }: Likeness<T>,
  partners: number[],
): void {
  const scoreAt = (a: number, b: number): number => {
    const [x, y] = [previous[a], next[b]];
    return x === undefined || y === undefined || used.has(a) || partners[b] !== -1 ? 0 : score(x, y);
  };
  if ((gap.a1 - gap.a0) * (gap.b1 - gap.b0) <= MAX_PAIRS / 10) {
    pairBest(gap, scoreAt, partners);
    return;
  }
  let a = gap.a0;
  for (let b = gap.b0; b < gap.b1 && a < gap.a1; b++) {
    if (scoreAt(a, b) > 0) partners[b] = a;
    a += 1;
  }
}

/** The ordered pairs with the highest total score, by dynamic programming. */
function pairBest({ a0, a1, b0, b1 }: Stretch, score: (a: number, b: number) => number, partners: number[]): void {
  const width = b1 - b0 + 1;
  const best = new Float64Array((a1 - a0 + 1) * width);
  const scores = new Float64Array(best.length);
  const at = (a: number, b: number): number => (a - a0) * width + (b - b0);
  for (let a = a1 - 1; a >= a0; a--) {
    for (let b = b1 - 1; b >= b0; b--) {
      const pairScore = score(a, b);
      scores[at(a, b)] = pairScore;
      const paired = pairScore > 0 ? pairScore + (best[at(a + 1, b + 1)] ?? 0) : 0;
      best[at(a, b)] = Math.max(paired, best[at(a + 1, b)] ?? 0, best[at(a, b + 1)] ?? 0);
    }
  }
  for (let a = a0, b = b0; a < a1 && b < b1; ) {
    const pairScore = scores[at(a, b)] ?? 0;
    const total = best[at(a, b)] ?? 0;
    if (pairScore > 0 && total === pairScore + (best[at(a + 1, b + 1)] ?? 0)) partners[b++] = a++;
    else if (total === best[at(a + 1, b)]) a += 1;
    else b += 1;
  }
}
