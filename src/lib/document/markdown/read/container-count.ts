import type { SourceLine } from './source-lines.ts';

/** Counts the lines of a text that leave containers. */
export interface ContainerCount {
  take(line: SourceLine): void;
  readonly count: number;
}

const marker = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)|\[\^[^\]\s]+\]:)/y;
const blank = /^[ \t]*$/;
const spaces = /[ \t]*/y;

const TAB_COLUMNS = 4;

/**
 * Tracks the open list items, quotations and footnotes by the column of their content. A line before that column closes
 * some, unless it is the next item of the same list. Lazy lines, which continue a paragraph before that column, count
 * as well: they cost the same.
 */
export function makeContainerCount(): ContainerCount {
  let open: number[] = [];
  let afterBlank = false;
  let count = 0;
  return {
    take({ text, isRaw, isCut }) {
      if (blank.test(text)) {
        afterBlank = true;
        return;
      }
      const columns = isRaw ? [] : columnsOf(text);
      const indent = isRaw ? 0 : columnAt(text, endOf(spaces, text, 0));
      const stays = open.filter((column) => column <= indent);
      const left = open.length - stays.length;
      if (left > (columns.length > 0 ? 1 : 0)) count += 1;
      const isLazy = columns.length === 0 && !afterBlank && !isCut && !isRaw;
      if (!isLazy) open = [...stays, ...columns];
      afterBlank = false;
    },
    get count() {
      return count;
    },
  };
}

/** Column of the content of each container that a line opens. */
function columnsOf(text: string): number[] {
  const columns: number[] = [];
  let at = 0;
  let column = 0;
  for (;;) {
    const end = endOf(marker, text, at);
    if (end === at) break;
    column = columnAt(text, end, at, column);
    const width = columnAt(text, endOf(spaces, text, end), end, column) - column;
    columns.push(column + (width >= 1 && width <= TAB_COLUMNS ? width : 1));
    at = end;
  }
  return columns;
}

/** End of a match that begins at an index; the index itself when nothing matches. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The column of an index, counted on from one whose column is known. */
function columnAt(text: string, index: number, from = 0, startColumn = 0): number {
  let column = startColumn;
  for (let at = from; at < index; at++) column += text[at] === '\t' ? TAB_COLUMNS - (column % TAB_COLUMNS) : 1;
  return column;
}
