import type { RootContent } from 'mdast';
import type { Block } from '../../document.ts';
import { tidyBlocks } from '../../normalize.ts';
import { type ParseOptions, parseParts } from '../parse.ts';
import type { Item } from '../read/item.ts';
import { contentLength, linesOf } from './lines-of.ts';

/** Whole lines of a text that are kept or replaced together. */
export interface SourceUnit {
  /** The lines without the end of the last one. */
  text: string;
  /** The first line, counting from 0, and the line after the last one. */
  from: number;
  to: number;
  /** The blocks they mean, in normal form. Without blocks, it is a comment, a definition or a footnote. */
  blocks: Block[];
  items: readonly Item[];
  /** Label of the footnote that the unit defines. */
  footnote?: string;
}

/** A text as units and the bytes between them. */
export interface SourceUnits {
  /** Everything before the first unit: a byte order mark and blank lines. */
  head: string;
  units: SourceUnit[];
  /** Text after each unit: the end of its last line, and blank lines. */
  gaps: string[];
  /** The text in lines, each with its end. */
  lines: string[];
  /** The blocks of footnotes without a reference, which are the last blocks of the document. */
  unused: Block[];
  lineEnd: string;
}

/** Reads a text. Its parts in their order are the text itself: `head`, then each unit and its gap. */
export function readSourceUnits(text: string, options: Omit<ParseOptions, 'nextKey'>): SourceUnits {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const lines = linesOf(text.slice(mark.length));
  const { parts, unused, nodes } = parseParts(text, options);
  const notes = footnotesAt(nodes);
  const units: SourceUnit[] = [];
  let at = 0;
  const add = (from: number, to: number, unit: Pick<SourceUnit, 'blocks' | 'items'>): void => {
    const bounds = trimmedLines(lines, from, Math.min(to, lines.length));
    if (bounds.from === bounds.to) return;
    const label = unit.blocks.length === 0 ? notes.get(bounds.from) : undefined;
    units.push({ ...unit, ...bounds, text: bodyOf(lines, bounds), ...(label !== undefined && { footnote: label }) });
  };
  for (const { from, to, blocks, items } of parts) {
    add(at, from, { blocks: [], items: [] });
    add(Math.max(at, from), to, { blocks: tidyBlocks(blocks), items });
    at = Math.max(at, to);
  }
  add(at, lines.length, { blocks: [], items: [] });
  const gaps = units.map((unit, i) => {
    const last = lines[unit.to - 1] ?? '';
    return last.slice(contentLength(last)) + lines.slice(unit.to, units[i + 1]?.from).join('');
  });
  const head = mark + lines.slice(0, units[0]?.from).join('');
  return { head, units, gaps, lines, unused: tidyBlocks(unused), lineEnd: lineEndOf(lines[0]) };
}

function lineEndOf(line = ''): string {
  return line.slice(contentLength(line)) || '\n';
}

function bodyOf(lines: readonly string[], { from, to }: { from: number; to: number }): string {
  const text = lines.slice(from, to).join('');
  return text.slice(0, text.length - ((lines[to - 1] ?? '').length - contentLength(lines[to - 1] ?? '')));
}

function trimmedLines(lines: readonly string[], from: number, to: number): { from: number; to: number } {
  let [first, end] = [from, Math.max(from, to)];
  const isBlank = (line: string | undefined): boolean => /^[ \t\r\n]*$/.test(line ?? '');
  while (first < end && isBlank(lines[first])) first += 1;
  while (end > first && isBlank(lines[end - 1])) end -= 1;
  return { from: first, to: end };
}

/** Labels of footnotes by the line of their definition. */
function footnotesAt(nodes: readonly RootContent[]): Map<number, string> {
  const labels = new Map<number, string>();
  for (const node of nodes) {
    if (node.type === 'footnoteDefinition') {
      labels.set((node.position?.start.line ?? 0) - 1, node.label ?? node.identifier);
    }
  }
  return labels;
}
