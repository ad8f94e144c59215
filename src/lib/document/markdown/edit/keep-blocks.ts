import { alignKeys } from '../../align-keys.ts';
import type { Block, JSONDocument } from '../../document.ts';
import type { ParseOptions } from '../parse.ts';
import { meaningOf } from '../patch/meaning.ts';
import { type BlockPlace, placeBlocks } from './place-blocks.ts';
import { linesAfter, type Splice } from './splice.ts';

/** A text before and after replacements, and the documents that the two texts mean. */
export interface EditedText {
  document: JSONDocument;
  before: string;
  /** Sorted. */
  splices: readonly Splice[];
  after: string;
  /** What the new text was read as. */
  read: JSONDocument;
  resolveLink?: ParseOptions['resolveLink'];
}

/** The document of an edited text. */
export interface KeptBlocks {
  document: JSONDocument;
  /**
   * The first line, counted from 0, that was not replaced and still means something else than before, such as a line
   * after the beginning of a code block without an end.
   */
  changedLine?: number;
}

/**
 * The document of an edited text with the keys of the earlier document. Top-level blocks whose lines were not replaced,
 * and that still mean the same, are the earlier blocks themselves. All others are aligned by their content.
 */
export function keepBlocks({ document, before, splices, after, read, resolveLink }: EditedText): KeptBlocks {
  const places = placeBlocks(after, read, resolveLink);
  const byPlace = new Map(places.flatMap((place, i) => (place ? [[nameOf(place, place), i] as const] : [])));
  const pairs = new Map<number, number>();
  let changedLine: number | undefined;
  for (const [i, place] of placeBlocks(before, document, resolveLink).entries()) {
    const moved = place && linesAfter(before, splices, place);
    if (!moved) continue;
    const next = byPlace.get(nameOf(place, moved));
    const now = next === undefined ? undefined : places[next];
    if (next !== undefined && now && meaningOf(now.read).identity === meaningOf(place.read).identity)
      pairs.set(next, i);
    else if (changedLine === undefined && !isPartOfList(place, moved, places)) changedLine = place.firstLine;
  }
  return { document: alignKeys(document, read, undefined, pairs), ...(changedLine !== undefined && { changedLine }) };
}

const nameOf = ({ at, count }: BlockPlace, { from, to }: { from: number; to: number }): string =>
  `${from} ${to} ${at} ${count}`;

/** Whether a list has become a part of a longer one: items next to a list belong to it. */
function isPartOfList(
  { read: { type }, at }: BlockPlace,
  moved: { from: number; to: number },
  places: readonly (BlockPlace | undefined)[],
): boolean {
  // Only lists are looked for, so that this takes linear time.
  if (!LISTS.has(type)) return false;
  const around = places.find((place) => place && place.from <= moved.from && moved.to <= place.to && place.at === at);
  return around?.read.type === type;
}

const LISTS: ReadonlySet<Block['type']> = new Set(['list-ordered', 'list-unordered', 'list-tasks']);
