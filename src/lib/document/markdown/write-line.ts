import type { Inline, Mark, Phrasing } from '../document.ts';
import { emojiOfCode } from '../emoji.ts';
import { sameMark } from '../tidy-phrasing.ts';
import { escapeText, guardEnds, guardLines } from './escape.ts';
import type { LinePlace, WriteContext } from './write-context.ts';
import { writeInline } from './write-inline.ts';
import { codeSpan, innerEdges, marked } from './write-mark.ts';

/** A stretch of a line: text under its marks, or an inline already printed. */
type Piece = { text: string; marks: readonly Mark[] } | { printed: string };

/** The lines of a paragraph. */
export function writeParagraph(nodes: readonly Phrasing[], ctx: WriteContext): string {
  return guardLines(writeLine(nodes, { hasBreaks: true, inCell: false, inLink: false }, ctx));
}

/** The text of a heading: one line that ends neither in the closing sequence of a heading nor in an anchor. */
export function writeHeadingLine(nodes: readonly Phrasing[], ctx: WriteContext): string {
  const line = guardEnds(writeLine(nodes, { hasBreaks: false, inCell: false, inLink: false }, ctx));
  return line.replace(/(^|[ \t])(#+)$/, '$1\\$2').replace(/\{#[-a-z0-9.+_]+\}$/i, '\\$&');
}

/** The content of a cell of a table: one line without free bars. */
export function writeCellLine(nodes: readonly Phrasing[], ctx: WriteContext): string {
  return guardEnds(writeLine(nodes, { hasBreaks: false, inCell: true, inLink: false }, ctx));
}

/** A line of text without regard to where it begins and ends. */
function writeLine(nodes: readonly Phrasing[], place: LinePlace, ctx: WriteContext): string {
  const pieces = nodes.flatMap((node, i): Piece[] => {
    if (node.object === 'text') return node.leaves.filter((leaf) => leaf.text !== '');
    const line = (inside: readonly Phrasing[]): string => writeLine(inside, { ...place, inLink: true }, ctx);
    const around = { before: endOf(nodes[i - 1]), after: startOf(nodes[i + 1]) };
    return [{ printed: writeInline(node, { ...place, ...around, line }, ctx) }];
  });
  return writePieces(pieces, { before: '', after: '' }, place);
}

interface Edges {
  before: string;
  after: string;
}

/** Joined once at the end: to look at the last character of a text that grows is to copy all of it each time. */
function writePieces(pieces: readonly Piece[], edges: Edges, place: LinePlace): string {
  const runs: string[] = [];
  let before = edges.before;
  for (let i = 0; i < pieces.length; ) {
    const run = runAt(pieces, i);
    const after = firstOf(pieces[i + run.length]) ?? edges.after;
    const written = writeRun(run, { before, after }, place);
    runs.push(written);
    before = written.at(-1) ?? before;
    i += run.length;
  }
  return runs.join('');
}

/** Pieces with one mark in common, or a single piece without. */
interface Run {
  mark: Mark | undefined;
  pieces: Piece[];
  length: number;
}

/** The longest run that begins here; code only when nothing else is left, since nothing can stand in it. */
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
  return marked(mark, inside, edges);
}

/** Text with its line breaks: as such between two characters, as `<br>` at the ends and where lines cannot break. */
export function writeText(text: string, edges: Edges, place: LinePlace): string {
  const escaped = escapeText(text, { ...edges, ...place });
  return escaped.replace(/\n+/g, (breaks, at: number) => {
    const isInside = at > 0 && at + breaks.length < escaped.length;
    if (!place.hasBreaks || !isInside) return '<br>'.repeat(breaks.length);
    return `${'<br>'.repeat(breaks.length - 1)}\\\n`;
  });
}

/** The character a piece begins with; for marks, of which the tag or delimiter is not known yet, some punctuation. */
function firstOf(piece: Piece | undefined): string | undefined {
  if (!piece) return undefined;
  if ('printed' in piece) return piece.printed.charAt(0);
  if (piece.marks.length === 0) return piece.text.charAt(0);
  return piece.marks.some((mark) => mark.type === 'italic') ? '_' : '<';
}

/** What a printed inline could run into: the text beside it, or what another inline begins with. */
export function startOf(node: Phrasing | undefined): string {
  return node?.object === 'text' ? (node.leaves[0]?.text ?? '') : signOf(node);
}

/** The same for the text or inline before it. */
export function endOf(node: Phrasing | undefined): string {
  return node?.object === 'text' ? (node.leaves.at(-1)?.text ?? '') : signOf(node);
}

function signOf(node: Inline | undefined): string {
  if (node?.type === 'inline-math') return '$';
  return node?.type === 'emoji' ? (emojiOfCode(node.data.code) ?? '') : '';
}
