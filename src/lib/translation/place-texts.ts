import { textNode } from '../document/build.ts';
import type { JSONDocument, Phrasing } from '../document/document.ts';
import { textOfLine } from '../document/plain-text.ts';
import { cutLine, cutText, isSameLine, joinLine, nodesOfSegment, type Segment } from './cut-line.ts';
import { mapLines } from './map-lines.ts';

/** Text that replaces a segment, or a whole line of text. */
export interface PlacedText {
  line: string;
  /** Position of the segment in its line. Null for the whole line. */
  segment: number | null;
  /** Segments of the line in which the position was found. */
  segmentCount: number;
  nodes: Phrasing[];
  /** The text to replace. A place that has another one, and not `nodes` already, is not changed. Default: any text. */
  replaces?: Phrasing[];
}

/** A document with texts in their places. */
export interface DocumentWithTexts {
  document: JSONDocument;
  /**
   * Texts whose line the document does not have, or has with another number of segments or another text at the place.
   */
  unplaced: PlacedText[];
}

/**
 * A line with texts in the places of its segments or of all of it, and the texts that have a place. Texts whose line
 * had another number of segments have none: their position could be that of another sentence.
 */
export function placeInSegments(
  segments: readonly Segment[],
  texts: readonly PlacedText[],
): { nodes: Phrasing[]; placed: readonly PlacedText[] } {
  const wholeLine = texts.find((each) => each.segment === null && replacesLine(each, segments));
  if (wholeLine) return { nodes: wholeLine.nodes, placed: texts };
  const placed = texts.filter((each) => replacesSegment(each, segments));
  const bySegment = new Map(placed.map(({ segment, nodes }) => [segment, nodes]));
  const nodes = segments.map((_, index) => bySegment.get(index));
  return { nodes: joinLine(segments, nodes), placed };
}

const replacesLine = (text: PlacedText, segments: readonly Segment[]): boolean =>
  isReplaceable(text, joinLine(segments, []));

function replacesSegment(text: PlacedText, segments: readonly Segment[]): boolean {
  const segment = text.segment === null ? undefined : segments[text.segment];
  return segment !== undefined && text.segmentCount === segments.length && isReplaceable(text, nodesOfSegment(segment));
}

const isReplaceable = ({ replaces, nodes }: PlacedText, present: readonly Phrasing[]): boolean =>
  replaces === undefined || isSameLine(present, replaces) || isSameLine(present, nodes);

/** Puts texts in the place of lines and segments of a document in this language. Everything else stays. */
export function placeInDocument(
  document: JSONDocument,
  language: string,
  texts: readonly PlacedText[],
): DocumentWithTexts {
  const byLine = Map.groupBy(texts, ({ line }) => line);
  const unplaced = new Set(texts);
  const replace = (name: string, nodes: Phrasing[], cut: () => Segment[]): Phrasing[] => {
    const lineTexts = byLine.get(name);
    if (!lineTexts) return nodes;
    const line = placeInSegments(cut(), lineTexts);
    for (const each of line.placed) unplaced.delete(each);
    return line.nodes;
  };
  const placed = mapLines(document, {
    line: (name, nodes) => replace(name, nodes, () => cutLine(nodes, language)),
    text: (name, value) => {
      if (!byLine.has(name)) return value;
      return textOfLine(replace(name, [textNode(value)], () => cutText(value, language)));
    },
  });
  return { document: placed, unplaced: [...unplaced] };
}
