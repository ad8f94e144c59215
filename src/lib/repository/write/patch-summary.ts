import { linesOf } from '../../document/markdown/patch/lines-of.ts';
import { linkDestination, linkTitle } from '../../document/markdown/write/destination.ts';
import { ListPlaces } from './list-places.ts';

/** An entry that the table of contents should have. */
export interface SummaryEntry {
  /** Identifies the entry before and after. */
  id: string;
  /** Nesting from 0. Children of a top-level group have the depth of the group. */
  depth: number;
  /** A heading, whose children are the list below it. */
  isHeading: boolean;
  /** Whether the entry is in a group at the top level. */
  inGroup: boolean;
  title: string;
  /** The title for the sidebar, if it differs from that of the link. */
  shortTitle?: string | undefined;
  /** Relative URL; undefined for an entry without a link. */
  url?: string | undefined;
}

/** An entry that the text has, with its line, starting at 1. */
export type WrittenEntry = SummaryEntry & { line: number };

/**
 * A table of contents with these entries in this order. Lines of entries that stay as they are, with the blank lines
 * and comments before them, keep their bytes. A text whose entries are as wanted is returned unchanged.
 */
export function patchSummary(text: string, before: readonly WrittenEntry[], after: readonly SummaryEntry[]): string {
  if (isSame(before, after)) return text;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = linesOf(text);
  const style = styleOf(lines, before);
  const beforeById = new Map(before.map((entry) => [entry.id, entry]));
  const leading = leadingOf(before, lines);
  const out = new Output(lineEnd);
  const places = new ListPlaces(style.indent);
  out.push(
    before.length === 0 ? (lines.length > 0 ? lines : [`# Table of contents${lineEnd}`, lineEnd]) : leading.first,
  );
  let isAfterGroup = false;
  for (const entry of after) {
    const old = beforeById.get(entry.id);
    const leadingLines = old && leading.of.get(entry.id);
    const needsRule = isAfterGroup && !entry.isHeading && !entry.inGroup && entry.depth === 0;
    const isKept = leadingLines?.some(isRule) === needsRule || !leadingLines?.some(isRule);
    out.push(isKept ? (leadingLines ?? []) : (leadingLines ?? []).filter((line) => !isRule(line)));
    if (needsRule && !leadingLines?.some(isRule)) out.rule();
    if (entry.isHeading || (out.isHeading && !old)) out.blank();
    const line = lines[(old?.line ?? 0) - 1] ?? '';
    out.entry(
      places.placed(entry, old && hasSameLine(old, entry) ? line : lineFor(entry, style, line, old)),
      entry.isHeading,
    );
    if (entry.isHeading) isAfterGroup = true;
    else if (!entry.inGroup && entry.depth === 0) isAfterGroup = false;
  }
  out.push(before.length === 0 ? [] : leading.last);
  return out.text();
}

const isSame = (before: readonly WrittenEntry[], after: readonly SummaryEntry[]) =>
  before.length === after.length &&
  after.every((entry, index) => {
    const old = before[index];
    return old?.id === entry.id && old.inGroup === entry.inGroup && hasSameLine(old, entry);
  });

const hasSameLine = (a: SummaryEntry, b: SummaryEntry) =>
  a.depth === b.depth &&
  a.isHeading === b.isHeading &&
  a.title === b.title &&
  a.shortTitle === b.shortTitle &&
  a.url === b.url;

const isRule = (line: string) => /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\r?\n?$/.test(line);

/** Lines without entries belong to the entry below them. */
function leadingOf(before: readonly WrittenEntry[], lines: readonly string[]) {
  const sorted = before.toSorted((a, b) => a.line - b.line);
  const of = new Map<string, string[]>();
  let first: string[] = [];
  let from = 0;
  for (const [index, { id, line }] of sorted.entries()) {
    if (index === 0) first = lines.slice(0, line - 1);
    else of.set(id, lines.slice(from, line - 1));
    from = line;
  }
  return { first, of, last: lines.slice(from) };
}

interface Style {
  bullet: string;
  indent: string;
}

function styleOf(lines: readonly string[], before: readonly WrittenEntry[]): Style {
  const items = before
    .filter(({ isHeading }) => !isHeading)
    .map((entry) => ({ ...entry, text: lines[entry.line - 1] ?? '' }));
  const bullets = items.flatMap(({ text }) => /^\s*([*+-])\s/.exec(text)?.[1] ?? []);
  const nested = items.find(({ depth, text }) => depth === 1 && /^\s+[*+-]/.test(text));
  return { bullet: bullets[0] ?? '*', indent: /^\s+/.exec(nested?.text ?? '')?.[0] ?? '  ' };
}

const BULLET = /^[ \t]*[*+-][ \t]+/;

function lineFor(entry: SummaryEntry, style: Style, line = '', old?: WrittenEntry): string {
  const { title, shortTitle, url, depth, isHeading } = entry;
  // Signs at the end would close the heading.
  if (isHeading) return `## ${escaped(title).replace(/(^|[ \t])(?=#+$)/, '$1\\')}`;
  const [marker] = BULLET.exec(line) ?? [];
  const isMoved = old?.depth !== depth;
  const bullet = isMoved || marker === undefined ? `${style.indent.repeat(depth)}${style.bullet} ` : marker;
  const isSameText = old?.title === title && old.shortTitle === shortTitle && old.url === url;
  if (isSameText && marker !== undefined) return bullet + line.slice(marker.length);
  if (url === undefined) return bullet + escaped(title);
  const short = shortTitle === undefined ? '' : linkTitle(shortTitle, false);
  return `${bullet}[${escaped(title)}](${linkDestination(url, false)}${short})`;
}

const escaped = (text: string) => text.replace(/[\\[\]*_`<]/g, '\\$&').replace(/&(?=#?\w+;)/g, '\\&');

class Output {
  readonly #lineEnd: string;
  readonly #lines: string[] = [];
  isHeading = false;

  constructor(lineEnd: string) {
    this.#lineEnd = lineEnd;
  }

  /** Adds lines, without blank ones after a blank line. */
  push(lines: readonly string[]): void {
    let isBlank = (this.#lines.at(-1) ?? '\n').trim() === '' && this.#lines.length > 0;
    const areAllBlank = lines.every((line) => line.trim() === '');
    for (const line of lines) {
      if (isBlank && areAllBlank) continue;
      this.#lines.push(this.#ended(line));
      isBlank = false;
    }
  }

  blank(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1)?.trim() !== '') this.#lines.push(this.#lineEnd);
  }

  rule(): void {
    this.blank();
    this.#lines.push(`***${this.#lineEnd}`, this.#lineEnd);
  }

  entry(line: string, isHeading: boolean): void {
    this.#lines.push(this.#ended(line));
    this.isHeading = isHeading;
  }

  text(): string {
    return this.#lines.join('');
  }

  #ended(line: string): string {
    return /[\r\n]$/.test(line) ? line : line + this.#lineEnd;
  }
}
