import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_RANK_CHARACTERS, needsRebalance, rankBetween, ranksBetween } from '../../src/lib/rank.ts';

/** Byte order, which is what the database compares by. */
const isBefore = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0;

const isRising = (ranks: string[]) =>
  ranks.every((rank, place) => place === 0 || isBefore(ranks[place - 1] ?? '', rank));

/** A list of siblings made by insertions, each at a place given as a part of the length. */
function insertedAt(places: number[]): string[] {
  const ranks: string[] = [];
  for (const part of places) {
    const place = Math.floor(part * (ranks.length + 1));
    ranks.splice(place, 0, rankBetween(ranks[place - 1] ?? null, ranks[place] ?? null));
  }
  return ranks;
}

const places = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 200 });

test('a rank is strictly between its neighbours, wherever siblings are inserted', () => {
  fc.assert(fc.property(places, (parts) => isRising(insertedAt(parts))));
});

test('no rank ends in the lowest digit after the point, so there is room below every rank', () => {
  fc.assert(fc.property(places, (parts) => insertedAt(parts).every((rank) => isBefore(rankBetween(null, rank), rank))));
});

test('many ranks at once are between the ends and rise', () => {
  fc.assert(
    fc.property(places, fc.nat(50), fc.nat(400), (parts, at, count) => {
      const siblings = insertedAt(parts);
      const [after, before] = [siblings[at - 1] ?? null, siblings[at] ?? null];
      const ranks = ranksBetween(after, before, count);
      expect(ranks).toHaveLength(count);
      return isRising([...(after === null ? [] : [after]), ...ranks, ...(before === null ? [] : [before])]);
    }),
  );
});

test.each([
  ['appending', (rank: string | null) => rankBetween(rank, null)],
  ['prepending', (rank: string | null) => rankBetween(null, rank)],
])('%s a hundred thousand times makes ranks of at most four characters', (_name, next) => {
  let rank: string | null = null;
  for (let count = 0; count < 100_000; count++) {
    const previous: string | null = rank;
    rank = next(rank);
    if (previous !== null) expect(previous < rank).toBe(_name === 'appending');
  }
  expect(rank?.length).toBeLessThanOrEqual(4);
});

test.each([
  ['after the same sibling', (low: string, high: string) => [low, rankBetween(low, high)] as const],
  ['before the same sibling', (low: string, high: string) => [rankBetween(low, high), high] as const],
])('300 insertions %s do not need a rebalance yet', (_name, narrow) => {
  let [low, high] = [rankBetween(null, null), rankBetween(rankBetween(null, null), null)];
  for (let count = 0; count < 300; count++) [low, high] = narrow(low, high);
  expect(needsRebalance(low) || needsRebalance(high)).toBe(false);
});

test('ranks of a thousand siblings between two neighbours stay short', () => {
  const first = rankBetween(null, null);
  const longest = Math.max(...ranksBetween(first, rankBetween(first, null), 1000).map(({ length }) => length));
  expect(longest).toBeLessThanOrEqual(6);
});

test('a rank beyond the limit asks for a rebalance', () => {
  expect(needsRebalance(`V0${'1'.repeat(MAX_RANK_CHARACTERS - 2)}`)).toBe(false);
  expect(needsRebalance(`V0${'1'.repeat(MAX_RANK_CHARACTERS - 1)}`)).toBe(true);
});

test.each([
  [null, null, 'V0'],
  ['V0', null, 'V1'],
  ['Vz', null, 'W00'],
  ['V0V', null, 'V1'],
  [null, 'V0', 'Uz'],
  [null, 'U0', 'Tzz'],
  [null, 'V5V', 'V5'],
  ['V0', 'V1', 'V0V'],
  ['V0', 'V2', 'V1'],
  ['V0', 'V01', 'V00V'],
  ['V0y', 'V0z', 'V0yV'],
  ['V0z', 'V1', 'V0zV'],
  ['V0zz', 'V1', 'V0zzV'],
  ['V01', 'V02', 'V01V'],
  ['V01', 'V021', 'V02'],
])('between %s and %s comes %s', (after, before, rank) => {
  expect(rankBetween(after, before)).toBe(rank);
});

test.each([
  ['V1', 'V0'],
  ['V0', 'V0'],
  ['', null],
  ['V', null],
  ['V00', null],
  ['W0', null],
  [null, 'V0-'],
  [null, `0${'0'.repeat(31)}`],
])('refuses %j and %j', (after, before) => {
  expect(() => rankBetween(after, before)).toThrow(RangeError);
});

test('above the highest number ranks go on as fractions', () => {
  const highest = 'z'.repeat(32);
  expect(rankBetween(highest, null)).toBe(`${highest}V`);
});
