import { textNode } from '../document/build.ts';
import type { JSONDocument, Phrasing } from '../document/document.ts';
import { textOfLine } from '../document/plain-text.ts';
import { cutLine, cutText, joinLine, type Segment } from './cut-line.ts';
import { mapLines } from './map-lines.ts';

/** Text that replaces a segment, or a whole line of text. */
export interface PlacedText {
  line: string;
  /** Position of the segment in its line. Null for the whole line. */
  segment: number | null;
  /** Segments of the line in which the position was found. */
  segmentCount: number;
  nodes: Phrasing[];
}

/** A document with texts in their places. */
export interface DocumentWithTexts {
  document: JSONDocument;
  /** Texts whose line the document does not have, or has with another number of segments. */
  unplaced: PlacedText[];
}

/**
 * The nodes for each segment of a line, and the texts that they are from. Texts whose line had another number of segments are left
 * out: their position could be that of another sentence.
 */
export function placeInSegments(segments: readonly Segment[], texts: readonly PlacedText[]) {
  const placed = texts.filter(({ segment, segmentCount }) => segment !== null && segmentCount === segments.length);
  const bySegment = new Map(placed.map(({ segment, nodes }) => [segment, nodes]));
  return { nodes: segments.map((_, index) => bySegment.get(index)), placed };
}

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
    const wholeLine = lineTexts.find(({ segment }) => segment === null);
    if (wholeLine) {
      for (const each of lineTexts) unplaced.delete(each);
      return wholeLine.nodes;
    }
    const segments = cut();
    const { nodes: segmentNodes, placed } = placeInSegments(segments, lineTexts);
    for (const each of placed) unplaced.delete(each);
    return joinLine(segments, segmentNodes);
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
