import { diffArrays } from 'diff';

/** The common ancestor of two sequences, and the sequences. */
export interface ThreeSequences {
  base: readonly string[];
  ours: readonly string[];
  theirs: readonly string[];
}

/** A stretch of the base, from `from` to before `to`, and the stretch of a version that replaces it. */
export interface Hunk {
  from: number;
  to: number;
  start: number;
  end: number;
}

/** Finding the fewest edits takes quadratic time, so that sequences with more are not merged. */
const MAX_EDITS = 2_000;

/**
 * Merges two sequences of lines as `git merge-file` does. Undefined if both changed the same lines, or lines next to
 * each other, in different ways, or if they differ too much from the base.
 */
export function mergeLines({ base, ours, theirs }: ThreeSequences): string[] | undefined {
  const [ourHunks, theirHunks] = [hunksBetween(base, ours), hunksBetween(base, theirs)];
  if (!ourHunks || !theirHunks) return undefined;
  const merged: string[] = [];
  let at = 0;
  for (const { from, to, our, their } of regionsOf(ourHunks, theirHunks)) {
    for (; at < from; at++) merged.push(base[at] ?? '');
    const ourLines = stretchOf(ours, our, { from, to });
    const theirLines = stretchOf(theirs, their, { from, to });
    if (our.length > 0 && their.length > 0 && !isSame(ourLines, theirLines)) return undefined;
    for (const line of our.length > 0 ? ourLines : theirLines) merged.push(line);
    at = to;
  }
  for (; at < base.length; at++) merged.push(base[at] ?? '');
  return merged;
}

/**
 * The differences between two sequences, with the fewest edits. As in Git, insertions and deletions that fit at several
 * places among equal items are placed at the last one. Undefined if there are too many.
 */
export function hunksBetween(
  base: readonly string[],
  version: readonly string[],
  maxEditLength = MAX_EDITS,
): Hunk[] | undefined {
  const runs = diffArrays([...base], [...version], { maxEditLength });
  if (!runs) return undefined;
  const hunks: Hunk[] = [];
  let [from, start, isOpen] = [0, 0, false];
  for (const { added, removed, count } of runs) {
    if (!added && !removed) {
      [from, start, isOpen] = [from + count, start + count, false];
      continue;
    }
    const last = isOpen ? hunks.pop() : undefined;
    const hunk = last ?? { from, to: from, start, end: start };
    if (removed) from += count;
    else start += count;
    hunks.push({ ...hunk, to: from, end: start });
    isOpen = true;
  }
  return slidDown(hunks, base, version);
}

function slidDown(hunks: readonly Hunk[], base: readonly string[], version: readonly string[]): Hunk[] {
  const slid: Hunk[] = [];
  for (const hunk of hunks) slid.push(joined(slid, hunk, base, version));
  for (let i = slid.length - 1; i >= 0; i--) {
    const [hunk, next] = [slid[i], slid[i + 1]];
    if (!hunk) continue;
    let by = 0;
    const limit = next?.from ?? base.length;
    while (isSlidable(hunk) && hunk.to + by < limit && itemAt(hunk, by, base, version) === base[hunk.to + by]) by += 1;
    slid[i] = moved(hunk, by);
    if (next && hunk.to + by === next.from)
      slid.splice(i, 2, { ...next, from: hunk.from + by, start: hunk.start + by });
  }
  return slid;
}

/** A hunk merged with the previous one, if it could as well directly follow that one. */
function joined(before: Hunk[], hunk: Hunk, base: readonly string[], version: readonly string[]): Hunk {
  const previous = before.at(-1);
  if (!previous || !isSlidable(hunk)) return hunk;
  let by = 0;
  const last = hunk.from === hunk.to ? version : base;
  const end = hunk.from === hunk.to ? hunk.end : hunk.to;
  while (hunk.from - by > previous.to && last[end - 1 - by] === base[hunk.from - 1 - by]) by += 1;
  if (hunk.from - by > previous.to) return hunk;
  before.pop();
  return { from: previous.from, to: hunk.to - by, start: previous.start, end: hunk.end - by };
}

const isSlidable = ({ from, to, start, end }: Hunk): boolean => from === to || start === end;

const moved = ({ from, to, start, end }: Hunk, by: number): Hunk => ({
  from: from + by,
  to: to + by,
  start: start + by,
  end: end + by,
});

/** The item of an insertion or deletion that would leave it if it slid down further. */
function itemAt(hunk: Hunk, by: number, base: readonly string[], version: readonly string[]): string | undefined {
  return hunk.from === hunk.to ? version[hunk.start + by] : base[hunk.from + by];
}

/**
 * A stretch of the base that hunks of one side, or of both sides, change. Hunks that touch each other are in one
 * region.
 */
interface Region {
  from: number;
  to: number;
  our: Hunk[];
  their: Hunk[];
}

function regionsOf(ours: readonly Hunk[], theirs: readonly Hunk[]): Region[] {
  const regions: Region[] = [];
  for (let [o, t] = [0, 0]; o < ours.length || t < theirs.length; ) {
    const [our, their] = [ours[o], theirs[t]];
    const isOurs = our !== undefined && (their === undefined || our.from <= their.from);
    const hunk = isOurs ? our : their;
    if (!hunk) break;
    if (isOurs) o += 1;
    else t += 1;
    let region = regions.at(-1);
    if (!region || region.to < hunk.from) {
      region = { from: hunk.from, to: hunk.to, our: [], their: [] };
      regions.push(region);
    }
    region.to = Math.max(region.to, hunk.to);
    (isOurs ? region.our : region.their).push(hunk);
  }
  return regions;
}

/** The items of a version in place of a range of the base that contains these hunks. */
export function stretchOf(
  version: readonly string[],
  hunks: readonly Hunk[],
  { from, to }: Pick<Region, 'from' | 'to'>,
): readonly string[] {
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (!first || !last) return [];
  return version.slice(first.start - (first.from - from), last.end + (to - last.to));
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, i) => line === b[i]);
