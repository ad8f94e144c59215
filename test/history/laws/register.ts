/*
 * A register that one caller changes, one change after the other, and that others use at any time. Each use sees a
 * value that the register may have had between its begin and its end, and none sees an older one than a use before it.
 */

export interface Change<Value> {
  value: Value;
  from: number;
  /** Never, if it is unknown whether it happened. */
  to: number;
  operation: number;
}

export interface Use<Value> {
  from: number;
  to: number;
  /** Whether what the use was answered fits the value. */
  fits(value: Value): boolean;
  operation: number;
}

export interface Misfit<Value> {
  use: Use<Value>;
  /** The values that the register may have had. */
  values: Value[];
}

/** The uses that fit none of the values that they may have seen. `first` is the value before all changes. */
export function misfits<Value>(
  first: Value,
  changes: readonly Change<Value>[],
  uses: readonly Use<Value>[],
): Misfit<Value>[] {
  const values = [first, ...changes.map(({ value }) => value)];
  const found: Misfit<Value>[] = [];
  const ended: { to: number; index: number }[] = [];
  for (const use of uses.toSorted((a, b) => a.from - b.from)) {
    // The last change that was certain before the use began, and the last that began before it ended.
    const certain = changes.findLastIndex(({ to }) => to < use.from) + 1;
    const begun = changes.findLastIndex(({ from }) => from < use.to) + 1;
    const before = Math.max(certain, ...ended.filter(({ to }) => to < use.from).map(({ index }) => index));
    let index = before;
    while (index <= begun && !use.fits(values[index] as Value)) index++;
    if (index <= begun) ended.push({ to: use.to, index });
    else found.push({ use, values: values.slice(before, begun + 1) });
  }
  return found;
}
