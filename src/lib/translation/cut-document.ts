import { assignAnchors, headingId, isHeading } from '../document/anchors.ts';
import { textNode } from '../document/build.ts';
import type { JSONDocument, Phrasing } from '../document/document.ts';
import { assignKeys } from '../document/keys.ts';
import { mapBlocks } from '../document/map-children.ts';
import { textOfLine } from '../document/plain-text.ts';
import { cutLine, cutText, joinLine, type Segment } from './cut-line.ts';
import { mapLines } from './map-lines.ts';
import { sentenceSpace } from './sentences.ts';

/** A line of text of a document, as segments. */
export interface SegmentedLine {
  /** Identifies the line while its node keeps its key. */
  name: string;
  segments: Segment[];
}

export interface Languages {
  from: string;
  to: string;
}

/** Cuts everything in a document that readers read as prose into segments, in reading order. */
export function cutDocument(document: JSONDocument, language: string): SegmentedLine[] {
  const lines: SegmentedLine[] = [];
  mapLines(document, {
    line: (name, nodes) => {
      lines.push({ name, segments: cutLine(nodes, language) });
      return nodes;
    },
    text: (name, value) => {
      lines.push({ name, segments: cutText(value, language) });
      return value;
    },
  });
  return lines;
}

/** Texts that replace the segments of a document. */
export interface Replacing {
  /** The text, with placeholders, or the nodes for a segment. Undefined leaves the segment as it is. */
  textFor(segment: Segment, line: string, index: number): string | Phrasing[] | undefined;
  /** The nodes for a whole line. By default, a line is made of its segments. */
  lineFor?(line: string, segments: readonly Segment[]): Phrasing[] | undefined;
}

/**
 * Puts texts in the place of the segments of a document. Blocks and inlines keep their keys and everything else that
 * they have; new nodes get keys from `nextKey`. Segments without a given text stay unchanged.
 */
export function joinDocument(
  document: JSONDocument,
  languages: Languages,
  replacing: Replacing,
  nextKey: () => string,
): JSONDocument {
  const replace = (name: string, segments: Segment[], nodes: Phrasing[]): Phrasing[] => {
    const line = replacing.lineFor?.(name, segments);
    if (line) return line;
    const texts = segments.map((segment, index) =>
      segment.isTranslatable ? replacing.textFor(segment, name, index) : undefined,
    );
    if (texts.every((each) => each === undefined)) return nodes;
    return joinLine(spaced(segments, languages), texts);
  };
  const joined = mapLines(document, {
    line: (name, nodes) => replace(name, cutLine(nodes, languages.from), nodes),
    text: (name, value) => textOfLine(replace(name, cutText(value, languages.from), [textNode(value)])),
  });
  if (joined === document) return document;
  const owned = structuredClone(joined);
  assignKeys(owned, nextKey);
  assignAnchors(owned);
  return owned;
}

/** The segments with the whitespace between them as it is written in the other language. */
const spaced = (segments: readonly Segment[], { from, to }: Languages): Segment[] =>
  segments.map((segment, index) =>
    index === segments.length - 1 ? segment : { ...segment, after: sentenceSpace(segment.after, from, to) },
  );

/** A document whose blocks keep their present anchors when their titles change. */
export const preserveAnchors = (document: JSONDocument): JSONDocument =>
  mapBlocks(document, (block) => {
    const anchor = block.meta?.id;
    if (anchor === undefined) return undefined;
    if (isHeading(block)) {
      if (block.data.id !== undefined) return undefined;
      if (headingId([anchor]) === anchor) return [{ ...block, data: { ...block.data, id: anchor } }];
    }
    if (block.anchors?.includes(anchor)) return undefined;
    // Further anchors of a container belong to its title. Its content keeps its own anchors.
    return [{ ...keepInside(block), anchors: [...(block.anchors ?? []), anchor] }];
  });

function keepInside<T extends JSONDocument['nodes'][number]>(block: T): T {
  const inside: JSONDocument = {
    object: 'document',
    data: { schemaVersion: 0 },
    nodes: [{ ...block, meta: undefined } as never],
  };
  const [result] = preserveAnchors(inside).nodes;
  return { ...(result as T), meta: block.meta } as T;
}
