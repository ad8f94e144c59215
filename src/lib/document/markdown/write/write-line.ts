import type { Inline, Mark, Phrasing } from '../../document.ts';
import { emojiOfCode } from '../../emoji.ts';
import { sameMark } from '../../tidy-phrasing.ts';
import { FOOTNOTE_ANCHOR } from '../forms.ts';
import { DOLLAR_MARK, escapeMarkdown, guardEnds, guardLines, settleDollars } from './escape.ts';
import type { LinePlace, WriteContext } from './write-context.ts';
import { writeInline } from './write-inline.ts';
import { codeSpan, innerEdges, writeMark } from './write-mark.ts';

/** A part of a line: text with its marks, or a printed inline. */
type Piece = { text: string; marks: readonly Mark[] } | { printed: string };

/** The lines of a paragraph. */
export function writeParagraph(nodes: readonly Phrasing[], ctx: WriteContext): string {
  return guardLines(writeWhole(nodes, { hasBreaks: true, inCell: false, inLink: false, style: ctx.style }, ctx));
}

/** The text of a heading: one line that does not end with a closing sequence or an anchor. */
export function writeHeadingLine(nodes: readonly Phrasing[], ctx: WriteContext): string {
  const line = guardEnds(writeWhole(nodes, { hasBreaks: false, inCell: false, inLink: false, style: ctx.style }, ctx));
  return line.replace(/(^|[ \t])(#+)$/, '$1\\$2').replace(/\{#[-a-z0-9.+_]+\}$/i, '\\$&');
}

/** The content of a table cell: one line without unescaped bars. */
export function writeCellLine(nodes: readonly Phrasing[], ctx: WriteContext): string {
  return guardEnds(writeWhole(nodes, { hasBreaks: false, inCell: true, inLink: false, style: ctx.style }, ctx));
}

/**
 * If a dollar was escaped, the line is printed again to see whether the escape is needed. Footnotes are only printed
 * once.
 */
function writeWhole(nodes: readonly Phrasing[], place: LinePlace, ctx: WriteContext): string {
  const line = writeLine(nodes, place, ctx);
  if (!line.includes('\\$') || line.includes(DOLLAR_MARK) || line.includes(FOOTNOTE_ANCHOR)) return line;
  return settleDollars(writeLine(nodes, { ...place, marksDollars: true }, ctx));
}

/** A line of text, regardless of its start and end. */
function writeLine(nodes: readonly Phrasing[], place: LinePlace, ctx: WriteContext): string {
  const pieces = nodes.flatMap((node, i): Piece[] => {
    if (node.object === 'text') return node.leaves.filter((leaf) => leaf.text !== '');
    const line = (inside: readonly Phrasing[]): string => writeLine(inside, { ...place, inLink: true }, ctx);
    const around = { before: textAtEnd(nodes[i - 1]), after: textAtStart(nodes[i + 1]) };
    return [{ printed: writeInline(node, { ...place, ...around, line }, ctx) }];
  });
  return writePieces(pieces, { before: '', after: '' }, place);
}

interface Edges {
  before: string;
  after: string;
}

/** Joined once at the end, because reading the last character of a growing string copies all of it each time. */
function writePieces(pieces: readonly Piece[], edges: Edges, place: LinePlace): string {
  const runs: string[] = [];
  let before = edges.before;
  for (let i = 0; i < pieces.length; ) {
    const run = runAt(pieces, i);
    const after = firstOf(pieces[i + run.length]) ?? edges.after;
    const text = writeRun(run, { before, after }, place);
    runs.push(text);
    before = text.at(-1) ?? before;
    i += run.length;
  }
  return runs.join('');
}

/** Pieces with a common mark, or a single piece without marks. */
interface Run {
  mark: Mark | undefined;
  pieces: Piece[];
  length: number;
}

/** The longest run that starts here. Code comes last, because it cannot contain other marks. */
function runAt(pieces: readonly Piece[], at: number): Run {
  const first = pieces[at];
  if (!first || 'printed' in first || first.marks.length === 0) {
    return { mark: undefined, pieces: first ? [first] : [], length: 1 };
  }
  const candidates = first.marks.filter((mark) => mark.type !== 'code' || first.marks.length === 1);
  const lengths = candidates.map((mark) => runLength(pieces, at, mark));
  const length = Math.max(...lengths);
  const mark = candidates[lengths.indexOf(length)];
  const inside = pieces.slice(at, at + length).map((piece): Piece => {
    if ('printed' in piece) return piece;
    return { ...piece, marks: piece.marks.filter((each) => !mark || !sameMark(each, mark)) };
  });
  return { mark, pieces: inside, length };
}

function runLength(pieces: readonly Piece[], at: number, mark: Mark): number {
  const has = (piece: Piece | undefined): boolean =>
    piece !== undefined && 'marks' in piece && piece.marks.some((each) => sameMark(each, mark));
  let end = at;
  while (has(pieces[end])) end += 1;
  return mark.type === 'code' ? 1 : end - at;
}

function writeRun({ mark, pieces }: Run, edges: Edges, place: LinePlace): string {
  const [first] = pieces;
  if (!first) return '';
  if (!mark) return 'printed' in first ? first.printed : writeText(first.text, edges, place);
  if (mark.type === 'code') return 'text' in first ? codeSpan(first.text, place) : '';
  const inside = writePieces(pieces, innerEdges(mark), place);
  return writeMark(mark, inside, edges, place.style);
}

/** Text with its line breaks: literal between two characters, `<br>` at the ends and where lines cannot break. */
function writeText(text: string, edges: Edges, place: LinePlace): string {
  const escaped = escapeMarkdown(text, { ...edges, ...place });
  return escaped.replace(/\n+/g, (breaks, at: number) => {
    const isInside = at > 0 && at + breaks.length < escaped.length;
    if (!place.hasBreaks || !isInside) return '<br>'.repeat(breaks.length);
    return `${'<br>'.repeat(breaks.length - 1)}\\\n`;
  });
}

/** First character of a piece. For marks, whose tag or delimiter is not known yet, it is punctuation. */
function firstOf(piece: Piece | undefined): string | undefined {
  if (!piece) return undefined;
  if ('printed' in piece) return piece.printed.charAt(0);
  if (piece.marks.length === 0) return piece.text.charAt(0);
  return piece.marks.some((mark) => mark.type === 'italic') ? '_' : '<';
}

/** The text that a printed inline could join with: the text after it, or the start of the next inline. */
export function textAtStart(node: Phrasing | undefined): string {
  return node?.object === 'text' ? (node.leaves[0]?.text ?? '') : signOf(node);
}

/** The same for the text or inline before it. */
export function textAtEnd(node: Phrasing | undefined): string {
  return node?.object === 'text' ? (node.leaves.at(-1)?.text ?? '') : signOf(node);
}

function signOf(node: Inline | undefined): string {
  if (node?.type === 'inline-math') return '$';
  return node?.type === 'emoji' ? (emojiOfCode(node.data.code) ?? '') : '';
}
