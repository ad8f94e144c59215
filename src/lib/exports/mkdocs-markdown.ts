import { closesFence, codeBlock, fenceOf, MAX_LINE } from './fence.ts';
import { hintTag, htmlText, titleAttribute, withHeadingId } from './hint.ts';
import { outsideSpans } from './outside-code.ts';
import { type Includes, withSnippets } from './snippets.ts';

/** Deeper containers stay as they are. */
const MAX_DEPTH = 12;
const INDENT = 4;

/**
 * Converts the syntax of MkDocs (Python-Markdown and PyMdown extensions) to this dialect: admonitions, details, content tabs,
 * blocks between `///`, attribute lists, titles of code blocks, and snippets, for which `includes` has the files.
 */
export const readMkdocsMarkdown = (markdown: string, includes: Includes): string =>
  converted(withSnippets(markdown, includes).split('\n'), 0).join('\n');

function converted(all: readonly string[], depth: number): string[] {
  const lines: Lines = { all, unclosed: new Set(), arranged: 0 };
  const written: string[] = [];
  for (let at = 0; at < all.length; ) {
    const line = all[at] ?? '';
    const block = depth < MAX_DEPTH ? blockAt(lines, at, depth) : undefined;
    if (block) written.push(...block.lines);
    else written.push(plainLine(line, lines));
    at = block?.end ?? at + 1;
  }
  return written;
}

interface Lines {
  all: readonly string[];
  /** Closing lines that do not exist, so that they are not searched twice. */
  unclosed: Set<string>;
  /** Elements that only arrange Markdown and are open. */
  arranged: number;
}

interface Block {
  lines: string[];
  /** Index of the first line after the block. */
  end: number;
}

function blockAt(lines: Lines, at: number, depth: number): Block | undefined {
  if ((lines.all[at]?.length ?? 0) > MAX_LINE) return undefined;
  const fence = fenceOf(lines.all[at] ?? '');
  if (!fence) return indentedBlock(lines.all, at, depth) ?? slashBlock(lines, at, depth);
  const close = indexAfter(lines.all, at, (line) => closesFence(fence, line));
  const end = close < 0 ? lines.all.length : close + 1;
  return { lines: codeBlock(fence, lines.all.slice(at + 1, end)), end };
}

function indexAfter(lines: readonly string[], at: number, isWanted: (line: string) => boolean): number {
  for (let index = at + 1; index < lines.length; index++) if (isWanted(lines[index] ?? '')) return index;
  return -1;
}

const MARKER = /^([ \t]*)(!!!|\?\?\?\+?|===[+!]?)[ \t]+(\S.*)$/;

/** An admonition, details or a tab: a line with a marker, and what is indented below it. */
function indentedBlock(lines: readonly string[], at: number, depth: number): Block | undefined {
  const [, indent = '', marker, rest = ''] = MARKER.exec(lines[at] ?? '') ?? [];
  if (marker === undefined) return undefined;
  const quoted = /"([^"]*)"[ \t]*$/.exec(rest);
  if (marker.startsWith('===') && !quoted) return undefined;
  const end = endOf(lines, at + 1, indent.length + INDENT);
  const content = converted(
    lines.slice(at + 1, end).map((line) => dedented(line, indent.length + INDENT)),
    depth + 1,
  );
  const [type = ''] = rest.split(/[\s"]/, 1);
  const open = {
    type,
    title: quoted?.[1],
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
  if (isTab) return [`{% tab${titleAttribute(title ?? '')} %}`, ...inner, '{% endtab %}'];
  if (isFolded) {
    const summary = htmlText(title ?? capitalized(type));
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
    left -= line[at] === '\t' ? INDENT : 1;
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
function slashBlock({ all, unclosed }: Lines, at: number, depth: number): Block | undefined {
  const [, indent = '', slashes = '', type, title] = SLASHES.exec(all[at] ?? '') ?? [];
  const closing = indent + slashes;
  if (type === undefined || unclosed.has(closing)) return undefined;
  const close = indexAfter(all, at, (line) => line.trimEnd() === closing);
  if (close < 0) return void unclosed.add(closing);
  const inner = all.slice(at + 1, close).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  const content = converted(inner, depth + 1);
  const isTab = type === 'tab';
  const box = boxed({ type, title: title?.trim(), content, isTab, isFolded: type === 'details' });
  const whole = isTab ? ['{% tabs %}', ...box, '{% endtabs %}'] : box;
  return { lines: ['', ...whole, ''].map((line) => indent + line), end: close + 1 };
}

function trimmed(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

const ICON = /:(?:material|octicons|fontawesome|simple)-[a-z0-9-]{1,100}:/g;
/** An attribute list: `{: #id .class key="value" }`, after something, or alone in its line. */
const ATTRIBUTES =
  /\{:?[ ]?(?:[#.][\w-]{1,100}|[\w-]{1,50}=(?:"[^"{}]{0,200}"|'[^'{}]{0,200}'|[^\s"'{}]{1,200}))(?:[ ]+[^{}]{0,300})?\}/g;
const CLOSING = /^[ \t]*<\/(?:div|span|section|figure|center)>[ \t]*$/;
const MARKED = /^[ \t]*<(?:div|span|section|figure|center)\b[^>]{0,300}\bmarkdown\b[^>]{0,300}>[ \t]*$/;

function plainLine(line: string, lines: Lines): string {
  if (line.length > MAX_LINE) return line;
  if (line.trim() === '[TOC]') return '';
  if (MARKED.test(line)) lines.arranged += 1;
  else if (lines.arranged > 0 && CLOSING.test(line)) lines.arranged -= 1;
  else return outsideSpans(withHeadingId(line), (text) => text.replace(ICON, '').replace(ATTRIBUTES, ''));
  return '';
}
