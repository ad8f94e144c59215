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
  nodes: Phrasing[];
}

/** A document with texts in their places. Those whose line or segment it does not have are in `unplaced`. */
export interface DocumentWithTexts {
  document: JSONDocument;
  unplaced: PlacedText[];
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
    const bySegment = new Map(lineTexts.map((each) => [each.segment, each]));
    const placed = segments.map((_, index) => bySegment.get(index));
    for (const each of placed) if (each) unplaced.delete(each);
    return joinLine(
      segments,
      placed.map((each) => each?.nodes),
    );
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
