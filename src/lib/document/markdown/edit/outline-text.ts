import { sha256 } from '../../../canonical.ts';
import { headingAnchors, isHeading, shownId } from '../../anchors.ts';
import type { JSONDocument } from '../../document.ts';
import { textOfLine } from '../../plain-text.ts';
import { IN_PAGES } from '../forms.ts';
import { linesOf } from '../patch/lines-of.ts';
import { type BlockPlace, placeBlocks } from './place-blocks.ts';

/** A top-level block of a body with its place in the text. */
export interface OutlineBlock extends Omit<BlockPlace, 'read'> {
  key: string;
  type: string;
  /** Version of its lines. */
  version: string;
}

/** A heading at the top level of a body, and the section below it. */
export interface OutlineHeading {
  key: string;
  anchor: string;
  title: string;
  /** Number of `#` in Markdown. */
  level: number;
  /** The line of the heading, counted from 0, and the line after the section. */
  firstLine: number;
  endLine: number;
  /** Offsets of the heading, of the end of its lines without the line end, and of the end of the section. */
  from: number;
  headingTo: number;
  to: number;
  /** Version of the section with its heading. */
  version: string;
}

/** A text by its blocks and sections. */
export interface TextOutline {
  lineCount: number;
  blocks: OutlineBlock[];
  headings: OutlineHeading[];
}

/** Identifies a text: 64 bits of its SHA-256, in hexadecimal. */
export const versionOfText = (text: string): string => sha256(text).slice(0, 16);

/** The outline of the Markdown of a document. Blocks without lines of their own are left out. */
export function outlineText(text: string, document: JSONDocument): TextOutline {
  const lineCount = linesOf(text).length;
  const placed = placeBlocks(text, document).flatMap((place, i) => {
    const block = document.nodes[i];
    return place && block?.key !== undefined ? [{ place, block, key: block.key }] : [];
  });
  const anchors = headingAnchors(document);
  const starts = placed.flatMap(({ block, key, place }) => {
    if (!isHeading(block)) return [];
    const anchor = shownId(block) ?? anchors.get(block) ?? '';
    const level = Number(block.type.slice(-1)) + IN_PAGES.topHeading - 1;
    return [{ key, anchor, title: textOfLine(block.nodes).trim(), level, place }];
  });
  const open: OutlineHeading[] = [];
  const headings: OutlineHeading[] = [];
  const close = (level: number, end: { line: number; offset: number }): void => {
    while ((open.at(-1)?.level ?? 0) >= level) {
      const ended = open.pop();
      if (!ended) return;
      ended.endLine = end.line;
      ended.to = end.offset;
      ended.version = versionOfText(text.slice(ended.from, ended.to));
    }
  };
  for (const { place, ...heading } of starts) {
    close(heading.level, { line: place.firstLine, offset: place.from });
    const { firstLine, from, to: headingTo } = place;
    const entry = { ...heading, firstLine, from, headingTo, endLine: 0, to: 0, version: '' };
    headings.push(entry);
    open.push(entry);
  }
  close(0, { line: lineCount, offset: text.length });
  return {
    lineCount,
    headings,
    blocks: placed.map(({ block, key, place: { read: _, ...place } }) => ({
      ...place,
      key,
      type: block.type,
      version: versionOfText(text.slice(place.from, place.to)),
    })),
  };
}
