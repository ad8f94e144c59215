/** One thing as three versions have it: what both sides began with, the change request's side, and main's. */
export interface Three<T> {
  base: T;
  ours: T;
  theirs: T;
}

export type Side = keyof Three<unknown>;

/**
 * The side whose version a three-way merge takes: the only one that changed, and main's when both are the same. Null when
 * both changed differently, which is a conflict.
 */
export function pickSide<T>(
  { base, ours, theirs }: Three<T>,
  isSame: (a: T, b: T) => boolean,
): 'ours' | 'theirs' | null {
  if (isSame(ours, theirs) || isSame(ours, base)) return 'theirs';
  return isSame(theirs, base) ? 'ours' : null;
}

export const mapThree = <A, B>({ base, ours, theirs }: Three<A>, map: (version: A, side: Side) => B): Three<B> => ({
  base: map(base, 'base'),
  ours: map(ours, 'ours'),
  theirs: map(theirs, 'theirs'),
});
