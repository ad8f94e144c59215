/**
 * How well two divisions of the same items agree, corrected for chance: 1 for equal ones, about 0 for unrelated ones
 * (Hubert and Arabie 1985).
 */
export function adjustedRandIndex(first: readonly unknown[], second: readonly unknown[]): number {
  const pairs = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  const sizes = (keys: readonly unknown[]) => [...Map.groupBy(keys, (key) => key).values()].map(({ length }) => length);
  const numbers = new Map([...new Set(first)].map((key, index) => [key, index]));
  const both = first.map((key, index) => `${numbers.get(key)} ${String(second[index])}`);
  const [a, b] = [pairs(sizes(first)), pairs(sizes(second))];
  const expected = (a * b) / pairs([first.length]);
  return (pairs(sizes(both)) - expected) / ((a + b) / 2 - expected);
}
