/**
 * Selects which of these distinct numbers can stay when the list is sorted in ascending order with the fewest moves:
 * the members of a longest increasing subsequence. Deterministic.
 */
export function longestIncreasing(numbers: readonly number[]): Set<number> {
  // `tails[n]` is the smallest number that ends an increasing run of n + 1; `before` links each number to its
  // predecessor in the run.
  const tails: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const number of numbers) {
    const length = firstAbove(tails, number);
    before.set(number, tails[length - 1]);
    tails[length] = number;
  }
  const run = new Set<number>();
  for (let number = tails.at(-1); number !== undefined; number = before.get(number)) run.add(number);
  return run;
}

function firstAbove(sorted: readonly number[], number: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
