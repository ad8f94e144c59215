import type { RootContent } from 'mdast';
import { trimEndOf, trimOf } from '../../../trim-characters.ts';
import { blockHtml } from '../read/source-lines.ts';
import { commonList } from './common-list.ts';
import { commonParagraph } from './common-paragraph.ts';
import { commonTable } from './common-table.ts';
import { commonText } from './common-text.ts';
import { type Lines, positionOfLines } from './lines.ts';

const heading = /^(#{1,6})[ \t]+((?![ \t]).*)$/;
const fence = /^(`{3,}(?!`)|~{3,}(?!~))(?:[ \t]*((?![ \t])[^`\\&]+))?$/;
const blockTag = /^\{%.*%\}[ \t]*$/;
const rule = /^(?:-{3,}|\*{3,}|_{3,})$/;

/** An item that may follow a paragraph without an empty line. */
const interrupting = /^(?:[-+*]|1[.)]) /;

/** HTML blocks that continue over empty lines, with their ends. */
const verbatim: readonly [RegExp, RegExp][] = [
  [/^<pre[\s>]/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--(?!-?>)/, /-->/],
];

/**
 * The nodes of lines whose meaning is certain without a grammar, which are most of those in documentation. Undefined if
 * a line may be anything else. The lines start where a block starts, and end where another one starts, and refer to no
 * definition. For speed only: parsing 1,449 pages (9 MB) takes 2 s with it and 7 s by micromark alone, while other
 * requests wait. A test compares both over all forms of blocks.
 */
export function commonBlocks(texts: readonly string[], before: number): RootContent[] | undefined {
  // The grammar replaces NUL.
  if (texts.some((text) => text.includes('\0'))) return undefined;
  const nodes: RootContent[] = [];
  let afterBlank = true;
  for (let from = 0; from < texts.length; ) {
    if (isBlank(texts[from])) {
      afterBlank = true;
      from += 1;
      continue;
    }
    const lines = { texts, from, line: before + from + 1 };
    const read = readLeaf(lines, afterBlank) ?? readContainer(lines, afterBlank) ?? commonParagraph(lines);
    if (read === undefined) return undefined;
    nodes.push(read.node);
    from += read.count;
    afterBlank = false;
  }
  return nodes;
}

type Read = { node: RootContent; count: number } | undefined;

const isBlank = (text = '') => /^[ \t]*$/.test(text);

function readLeaf(lines: Lines, afterBlank: boolean): Read {
  const text = lines.texts[lines.from] ?? '';
  switch (text.charAt(0)) {
    case '#':
      return readHeading(text, lines.line);
    case '`':
    case '~':
      return readFence(text, lines);
    case '{':
      return blockTag.test(text)
        ? { node: { type: 'blockTag', value: trimEndOf(text, ' \t'), position: positionOfLines(lines.line) }, count: 1 }
        : undefined;
    case '<':
      return readHtml(text, lines);
    default:
      return afterBlank && rule.test(text)
        ? { node: { type: 'thematicBreak', position: positionOfLines(lines.line) }, count: 1 }
        : undefined;
  }
}

/** A table, or a list at the end, because text after a list could belong to it. */
function readContainer(lines: Lines, afterBlank: boolean): Read {
  const { texts, from } = lines;
  const text = texts[from] ?? '';
  if (text.startsWith('|')) return afterBlank ? commonTable(lines) : undefined;
  if (!afterBlank && !interrupting.test(text)) return undefined;
  const list = commonList(lines);
  return list && texts.slice(from + list.count).every(isBlank) ? list : undefined;
}

function readHeading(text: string, line: number): Read {
  const [, signs = '', content = ''] = heading.exec(text) ?? [];
  const title = trimOf(content, ' \t');
  const children = title === '' || title.endsWith('#') ? undefined : commonText(title, line);
  return (
    children && {
      node: { type: 'heading', depth: signs.length as 1, children, position: positionOfLines(line) },
      count: 1,
    }
  );
}

function readFence(text: string, { texts, from, line }: Lines): Read {
  const [, signs, info = ''] = fence.exec(text) ?? [];
  if (signs === undefined) return undefined;
  const end = new RegExp(`^ {0,3}[${signs[0]}]{${signs.length},}[ \\t]*$`);
  const to = indexFrom(texts, from + 1, end);
  if (to < 0) return undefined;
  const [, lang = '', rest = ''] = /^([^ \t]*)[ \t]*(.*)$/s.exec(info) ?? [];
  const value = texts.slice(from + 1, to).join('\n');
  const count = to - from + 1;
  return {
    node: {
      type: 'code',
      lang: lang || null,
      meta: rest || null,
      value,
      position: positionOfLines(line, line + count - 1),
    },
    count,
  };
}

function readHtml(text: string, { texts, from, line }: Lines): Read {
  const raw = verbatim.find(([start]) => start.test(text));
  const end = raw?.[1] ?? (blockHtml.test(text) ? /^[ \t]*$/ : undefined);
  if (end === undefined) return undefined;
  const index = indexFrom(texts, from, end);
  if (index < 0 && raw) return undefined;
  const to = raw ? index + 1 : index < 0 ? texts.length : index;
  const value = texts.slice(from, to).join('\n');
  return { node: { type: 'html', value, position: positionOfLines(line, line + to - from - 1) }, count: to - from };
}

/** Index of the first line from an index on that a pattern matches; -1 if there is none. */
function indexFrom(texts: readonly string[], from: number, pattern: RegExp): number {
  for (let index = from; index < texts.length; index++) if (pattern.test(texts[index] ?? '')) return index;
  return -1;
}
