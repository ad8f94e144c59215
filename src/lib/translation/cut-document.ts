import { assignAnchors, headingId, isHeading } from '../document/anchors.ts';
import type { JSONDocument } from '../document/document.ts';
import { mapBlocks } from '../document/evaluate-document.ts';
import { assignKeys } from '../document/keys.ts';
import { cutLine, cutText, joinLine, joinText, type Segment } from './cut-line.ts';
import { mapLines } from './map-lines.ts';
import { spaceIn } from './sentences.ts';

/** A line of text of a document, as segments. */
export interface Line {
  /** Identifies the line while its node keeps its key. */
  name: string;
  segments: Segment[];
}

export interface Languages {
  from: string;
  to: string;
}

/** Cuts everything in a document that readers read as prose into segments, in reading order. */
export function cutDocument(document: JSONDocument, language: string): Line[] {
  const lines: Line[] = [];
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

/** The text for a segment of a document. Undefined leaves the segment as it is. */
export type TextFor = (segment: Segment, line: string, index: number) => string | undefined;

/**
 * Puts texts in the place of the segments of a document. Blocks and inlines keep their keys and everything else that they have;
 * new nodes get keys from `nextKey`. Where no text is given, the document stays as it is.
 */
export function joinDocument(
  document: JSONDocument,
  { from, to }: Languages,
  textFor: TextFor,
  nextKey: () => string,
): JSONDocument {
  const replaced = (name: string, segments: Segment[]) => {
    const texts = segments.map((segment, index) =>
      segment.isTranslatable ? textFor(segment, name, index) : undefined,
    );
    return texts.some((each) => each !== undefined) ? { segments: spaced(segments, from, to), texts } : undefined;
  };
  const joined = mapLines(document, {
    line: (name, nodes) => {
      const line = replaced(name, cutLine(nodes, from));
      return line ? joinLine(line.segments, line.texts) : nodes;
    },
    text: (name, value) => {
      const line = replaced(name, cutText(value, from));
      return line ? joinText(line.segments, line.texts) : value;
    },
  });
  if (joined === document) return document;
  const owned = structuredClone(joined);
  assignKeys(owned, nextKey);
  assignAnchors(owned);
  return owned;
}

/** The segments with the whitespace between them as it is written in the other language. */
const spaced = (segments: readonly Segment[], from: string, to: string): Segment[] =>
  segments.map((segment, index) =>
    index === segments.length - 1 ? segment : { ...segment, after: spaceIn(segment.after, from, to) },
  );

/** A document whose blocks keep their present anchors when their titles change. */
export const keepAnchors = (document: JSONDocument): JSONDocument =>
  mapBlocks(document, (block) => {
    const anchor = block.meta?.id;
    if (anchor === undefined) return undefined;
    if (isHeading(block)) {
      if (block.data.id !== undefined) return undefined;
      if (headingId([anchor]) === anchor) return [{ ...block, data: { ...block.data, id: anchor } }];
    }
    if (block.anchors?.includes(anchor)) return undefined;
    // Further anchors of a container are those of its own title. What is in it keeps its own.
    return [{ ...keepInside(block), anchors: [...(block.anchors ?? []), anchor] }];
  });

function keepInside<T extends JSONDocument['nodes'][number]>(block: T): T {
  const inside: JSONDocument = {
    object: 'document',
    data: { schemaVersion: 0 },
    nodes: [{ ...block, meta: undefined } as never],
  };
  const [kept] = keepAnchors(inside).nodes;
  return { ...(kept as T), meta: block.meta } as T;
}
