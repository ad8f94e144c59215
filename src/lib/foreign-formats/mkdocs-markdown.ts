import type { ReportNote } from '../repository/report.ts';
import { closesFence, codeBlock, fenceOf, MAX_LINE } from './fence.ts';
import { formulaBlock } from './formulas.ts';
import { hintTag, titleAttribute, withHeadingId } from './hint.ts';
import { titleAsHtml, titleAsText } from './inline-title.ts';
import { Abbreviations } from './mkdocs-abbreviations.ts';
import { definitionAt, definitionItem } from './mkdocs-definitions.ts';
import { ANY_SYNTAX, type MkdocsSyntax, type Rewriting, rewriteMkdocsText } from './mkdocs-inline.ts';
import { type Includes, withSnippets } from './snippets.ts';

/** Deeper containers stay as they are. */
const MAX_DEPTH = 12;
const INDENT_COLUMNS = 4;

export interface MkdocsOptions {
  syntax?: MkdocsSyntax;
  note?: ReportNote;
}

/**
 * Converts the syntax of MkDocs (Python-Markdown and PyMdown extensions) to this dialect. It converts admonitions,
 * details, content tabs, blocks between `///`, definition lists, abbreviations, attribute lists, formulas, marks,
 * titles of code blocks and snippets. `includes` has the files of snippets.
 */
export function readMkdocsMarkdown(markdown: string, includes: Includes, options: MkdocsOptions = {}): string {
  const { syntax = ANY_SYNTAX, note = () => {} } = options;
  const abbreviations = new Abbreviations();
  const all = withSnippets(markdown, includes).split('\n');
  const lines = converted(abbreviations.takeDefinitions(all), 0, { syntax, note, abbreviations });
  return [...lines, ...abbreviations.footnotes()].join('\n');
}

function converted(all: readonly string[], depth: number, rewriting: Rewriting): string[] {
  const lines: Lines = { all, unclosed: new Set(), arranged: 0, isInList: false, rewriting };
  const result: string[] = [];
  for (let at = 0; at < all.length; ) {
    const block = depth < MAX_DEPTH ? blockAt(lines, at, depth) : undefined;
    const { lines: blockLines, end } = block ?? textAt(lines, at, depth);
    for (const line of blockLines) result.push(line);
    at = end;
  }
  return result;
}

interface Lines {
  all: readonly string[];
  /** Closing lines that do not exist, so that they are not searched twice. */
  unclosed: Set<string>;
  /** Elements that only arrange Markdown and are open. */
  arranged: number;
  /** Whether indented lines belong to a list rather than being code. */
  isInList: boolean;
  rewriting: Rewriting;
}

interface Block {
  lines: string[];
  /** Index of the first line after the block. */
  end: number;
}

function blockAt(lines: Lines, at: number, depth: number): Block | undefined {
  if ((lines.all[at]?.length ?? 0) > MAX_LINE) return undefined;
  const fence = fenceOf(lines.all[at] ?? '');
  if (!fence) {
    return (
      rawElement(lines, at) ??
      indentedBlock(lines, at, depth) ??
      slashBlock(lines, at, depth) ??
      definitionList(lines, at, depth)
    );
  }
  const close = indexAfter(lines.all, at, (line) => closesFence(fence, line));
  const end = close < 0 ? lines.all.length : close + 1;
  return { lines: codeBlock(fence, lines.all.slice(at + 1, end)), end };
}

const RAW = /^ {0,3}<(pre|script|style|textarea)(?=[\s>]|$)/i;

/** An element whose content is no Markdown. */
function rawElement({ all }: Lines, at: number): Block | undefined {
  const name = RAW.exec(all[at] ?? '')?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const isEnd = (line: string) => line.toLowerCase().includes(`</${name}>`);
  const close = isEnd(all[at] ?? '') ? at : indexAfter(all, at, isEnd);
  const end = close < 0 ? all.length : close + 1;
  return { lines: all.slice(at, end), end };
}

const LIST = /^ {0,3}(?:[-*+]|\d{1,9}[.)]|\[\^[^\]\n]{1,100}\]:)[ \t]/;

/** A blank line, or lines up to the next blank line or block as text. */
function textAt(lines: Lines, at: number, depth: number): Block {
  const { all, rewriting } = lines;
  const first = all[at] ?? '';
  if (first.trim() === '') return { lines: [first], end: at + 1 };
  if (LIST.test(first)) lines.isInList = true;
  else if (!/^[ \t]/.test(first)) lines.isInList = false;
  let end = at + 1;
  while (end < all.length && (all[end] ?? '').trim() !== '' && !(depth < MAX_DEPTH && beginsBlock(all[end] ?? '')))
    end += 1;
  const text = all.slice(at, end);
  if (text.some((line) => LIST.test(line))) lines.isInList = true;
  if (!lines.isInList && /^(?: {4}|\t)/.test(first)) return { lines: text, end };
  const formula = formulaBlock(text, rewriting.syntax.dollars);
  if (formula) return { lines: formula, end };
  const content = text.map((line) => (isArranging(line, lines) ? '' : line));
  return { lines: rewriteMkdocsText(content.map(withHeadingId).join('\n'), rewriting).split('\n'), end };
}

const beginsBlock = (line: string): boolean =>
  line.length <= MAX_LINE && (MARKER.test(line) || fenceOf(line) !== undefined || SLASHES.test(line) || RAW.test(line));

function definitionList({ all, rewriting, isInList }: Lines, at: number, depth: number): Block | undefined {
  const entry = isInList ? undefined : definitionAt(all, at);
  if (!entry) return undefined;
  const terms = entry.terms.map((term) => rewriteMkdocsText(term, rewriting));
  const definitions = entry.definitions.map((lines) => trimmed(converted(lines, depth + 1, rewriting)));
  return { lines: definitionItem(terms, definitions), end: entry.end };
}

function indexAfter(lines: readonly string[], at: number, isWanted: (line: string) => boolean): number {
  for (let index = at + 1; index < lines.length; index++) if (isWanted(lines[index] ?? '')) return index;
  return -1;
}

const MARKER = /^([ \t]*)(!!!|\?\?\?\+?|===[+!]?)[ \t]+(\S.*)$/;

/** An admonition, details or a tab: a line with a marker, and the indented lines below it. */
function indentedBlock({ all: lines, rewriting }: Lines, at: number, depth: number): Block | undefined {
  const [, indent = '', marker, rest = ''] = MARKER.exec(lines[at] ?? '') ?? [];
  if (marker === undefined) return undefined;
  const quoted = /"([^"]*)"[ \t]*$/.exec(rest);
  if (marker.startsWith('===') && !quoted) return undefined;
  const end = endOf(lines, at + 1, indent.length + INDENT_COLUMNS);
  const content = converted(
    lines.slice(at + 1, end).map((line) => dedented(line, indent.length + INDENT_COLUMNS)),
    depth + 1,
    rewriting,
  );
  const [type = ''] = rest.split(/[\s"]/, 1);
  const open = {
    type,
    title: quoted?.[1] === undefined ? undefined : rewriteMkdocsText(quoted[1], rewriting),
    content,
    isTab: marker.startsWith('==='),
    isFolded: marker.startsWith('???'),
  };
  const isFirst = open.isTab && !isTab(lines, at, indent, -1);
  const isLast = open.isTab && !isTab(lines, end, indent, 1);
  const tabs = [...(isFirst ? ['{% tabs %}'] : []), ...boxed(open), ...(isLast ? ['{% endtabs %}'] : [])];
  return { lines: ['', ...(open.isTab ? tabs : boxed(open)), ''].map((line) => indent + line), end };
}

interface Opening {
  type: string;
  title: string | undefined;
  content: string[];
  isTab: boolean;
  isFolded: boolean;
}

function boxed({ type, title, content, isTab, isFolded }: Opening): string[] {
  const inner = trimmed(content);
  if (isTab) return [`{% tab${titleAttribute(titleAsText(title ?? ''))} %}`, ...inner, '{% endtab %}'];
  if (isFolded) {
    const summary = titleAsHtml(title ?? capitalized(type));
    return ['<details>', '', `<summary>${summary}</summary>`, '', ...inner, '', '</details>'];
  }
  const heading = title ? [`**${title}**`, ''] : [];
  return [hintTag(type), ...heading, ...inner, '{% endhint %}'];
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Whether the next line that is not blank, in a direction, is a tab of the same group or belongs to one. */
function isTab(lines: readonly string[], at: number, indent: string, step: 1 | -1): boolean {
  let index = step === 1 ? at : at - 1;
  while (index >= 0 && index < lines.length) {
    const line = lines[index] ?? '';
    const isInside = step === -1 && (line.trim() === '' || line.startsWith(`${indent}    `));
    if (!isInside && line.trim() !== '')
      return MARKER.exec(line)?.[2]?.startsWith('===') === true && indentOf(line) === indent.length;
    index += step;
  }
  return false;
}

const indentOf = (line: string) => line.length - line.trimStart().length;

/** A line without its first columns of white space. A tab counts as four. */
function dedented(line: string, columns: number): string {
  let at = 0;
  for (let left = columns; left > 0 && (line[at] === ' ' || line[at] === '\t'); at++)
    left -= line[at] === '\t' ? INDENT_COLUMNS : 1;
  return line.slice(at);
}

/** The end of the lines that are blank or indented. Blank lines at the end do not belong to it. */
function endOf(lines: readonly string[], from: number, indent: number): number {
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const line = (lines[at] ?? '').replaceAll('\t', '    ');
    if (line.trim() === '') continue;
    if (indentOf(line) < indent) break;
    end = at + 1;
  }
  return end;
}

const SLASHES = /^([ \t]*)(\/{3,})[ \t]*([\w-]+)?[ \t]*(?:\|[ \t]*(.*))?$/;

/** A block of `pymdownx.blocks`, from `/// type | Title` to `///`. */
function slashBlock({ all, unclosed, rewriting }: Lines, at: number, depth: number): Block | undefined {
  const [, indent = '', slashes = '', type, title] = SLASHES.exec(all[at] ?? '') ?? [];
  const closing = indent + slashes;
  if (type === undefined || unclosed.has(closing)) return undefined;
  const close = indexAfter(all, at, (line) => line.trimEnd() === closing);
  if (close < 0) return void unclosed.add(closing);
  const inner = all.slice(at + 1, close).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  const { options, body } = withoutOptions(inner);
  const content = converted(body, depth + 1, rewriting);
  const isTab = type === 'tab';
  const kind = options.get('type') ?? type;
  const named = { type: kind, title: title?.trim() && rewriteMkdocsText(title.trim(), rewriting) };
  const box = PLAIN.test(type)
    ? [...(named.title ? [named.title, ''] : []), ...trimmed(content)]
    : boxed({ ...named, content, isTab, isFolded: type === 'details' });
  const whole = isTab ? ['{% tabs %}', ...box, '{% endtabs %}'] : box;
  return { lines: ['', ...whole, ''].map((line) => indent + line), end: close + 1 };
}

/** Blocks whose content is text: HTML elements, captions and definitions. */
const PLAIN = /^(?:html|define|(?:\w{1,30}-)?caption)$/;
const OPTION = /^(?: {4}|\t)([\w-]{1,50}):[ \t]{0,20}(.{0,200})$/;

/** Options are indented lines right below the first line. */
function withoutOptions(lines: readonly string[]): { options: Map<string, string>; body: readonly string[] } {
  const options = new Map<string, string>();
  let count = 0;
  for (; count < lines.length; count++) {
    const [, name, value = ''] = OPTION.exec(lines[count] ?? '') ?? [];
    if (name === undefined) break;
    options.set(name, value.trim());
  }
  const isEnd = lines[count] === undefined || lines[count]?.trim() === '';
  return isEnd ? { options, body: lines.slice(count) } : { options: new Map(), body: lines };
}

function trimmed(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

const CLOSING = /^[ \t]*<\/(?:div|span|section|figure|center)>[ \t]*$/;
const MARKED = /^[ \t]*<(?:div|span|section|figure|center)\b[^>]{0,300}\bmarkdown\b[^>]{0,300}>[ \t]*$/;

/** Whether a line only arranges the following content, or is replaced by content that the site shows there anyway. */
function isArranging(line: string, lines: Lines): boolean {
  if (line.length > MAX_LINE) return false;
  if (MARKED.test(line)) lines.arranged += 1;
  else if (lines.arranged > 0 && CLOSING.test(line)) lines.arranged -= 1;
  else return line.trim() === '[TOC]';
  return true;
}
