/**
 * Which of these distinct numbers stay in place when the list is put in ascending order by moving as few as possible: the
 * members of a longest increasing subsequence, the same one for the same list.
 */
export function longestIncreasing(numbers: readonly number[]): Set<number> {
  // `tails[n]` is the smallest number that ends an increasing run of n + 1; `before` leads from each number down its run.
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
