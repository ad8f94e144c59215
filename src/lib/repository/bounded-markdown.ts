import { makeContainerCount } from '../document/markdown/read/container-count.ts';

/** Opening markers of lists and quotes and the indentation before and between them. */
const CONTAINERS = /^[ \t]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+|>[ \t]*)*/;
const STRUCTURAL = /^[ \t]*(?:$|[*+-][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t])/;
const MAX_COLUMNS = 64;
const MAX_BLOCK = 2000;
const ITEM = /^[ \t>]*(?:[*+-]|\d{1,9}[.)]|#{1,6})(?:[ \t]|$)/;
const LIST_IN_LIST = /^[ \t>]*(?:[*+-]|\d{1,9}[.)])[ \t]+(?:[*+-]|\d{1,9}[.)])(?:[ \t]|$)/;
const MAX_ITEMS = 5_000;
/** This many items take as long as one line in which a nested list begins. */
const ITEMS_OF_NESTED = 20;
const MAX_LEAVING = 1_500;

/**
 * Blanks the lines that would take a Markdown parser very long. Its time is quadratic in the nesting, in the length of
 * a paragraph and in the number of list items. So these are blanked: lines nested more than 32 levels deep, text beyond
 * 2,000 characters in a paragraph, list items and headings after the first 5,000, and lines that leave lists or quotes
 * after the first 1,500. Lines keep their numbers. The numbers of blanked lines are returned, starting at 1.
 */
export function boundMarkdown(text: string): { text: string; blanked: number[] } {
  const blanked: number[] = [];
  let block = 0;
  let items = 0;
  const leaving = makeContainerCount();
  const lines = text.split('\n').map((line, index) => {
    block = STRUCTURAL.test(line) ? line.length : block + line.length;
    if (ITEM.test(line)) items += LIST_IN_LIST.test(line) ? ITEMS_OF_NESTED : 1;
    leaving.take({ text: line, isRaw: false, isCut: false });
    const isFew = items <= MAX_ITEMS && leaving.count <= MAX_LEAVING;
    if (block <= MAX_BLOCK && isFew && columnsOf(line) <= MAX_COLUMNS) return line;
    blanked.push(index + 1);
    return '';
  });
  return { text: lines.join('\n'), blanked };
}

const columnsOf = (line: string) => (CONTAINERS.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
