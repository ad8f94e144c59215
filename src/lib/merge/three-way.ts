/** Three versions of a value: the common ancestor, the change request's, and the primary content's. */
export interface ThreeWay<T> {
  base: T;
  ours: T;
  theirs: T;
}

export type Side = keyof ThreeWay<unknown>;

/**
 * The side whose version a three-way merge takes: the one that changed, or `theirs` if both are the same. Null if both
 * changed differently, which is a conflict.
 */
export function pickSide<T>(
  { base, ours, theirs }: ThreeWay<T>,
  isSame: (a: T, b: T) => boolean,
): 'ours' | 'theirs' | null {
  if (isSame(ours, theirs) || isSame(ours, base)) return 'theirs';
  return isSame(theirs, base) ? 'ours' : null;
}

export const mapThreeWay = <A, B>(
  { base, ours, theirs }: ThreeWay<A>,
  map: (version: A, side: Side) => B,
): ThreeWay<B> => ({
  base: map(base, 'base'),
  ours: map(ours, 'ours'),
  theirs: map(theirs, 'theirs'),
});
