import { columnWidth } from './list-columns.ts';

/** Indentation below an item from which on a line continues its text or is code (CommonMark, 5.2). */
const TOO_FAR = 4;

interface Item {
  /** Column of the text as written, and as it is read. */
  source: number;
  read: number;
}

/**
 * A list whose items are indented too far to be items, as deleting the line of a parent leaves them, with these as
 * children of the item above. Lines keep their numbers; `moved` are those of such items.
 */
export function dedentItems(text: string): { text: string; moved: number[] } {
  let open: Item[] = [];
  const moved: number[] = [];
  const lines = text.split('\n').map((line, index) => {
    const item = /^([ \t]*)((?:[*+-]|\d{1,9}[.)])[ \t]+)(?=\S)/.exec(line);
    if (!item) {
      // Headings, rules and paragraphs end a list.
      if (/^\S/.test(line)) open = [];
      return line;
    }
    const [marker, indentation = '', bullet = ''] = item;
    const indent = columnWidth(indentation);
    while ((open.at(-1)?.source ?? 0) > indent) open.pop();
    const parent = open.at(-1);
    const below = indent - (parent?.source ?? 0);
    const isTooFar = parent !== undefined && below >= TOO_FAR;
    const read = (parent?.read ?? 0) + (isTooFar ? 0 : below);
    open.push({ source: columnWidth(marker), read: columnWidth(' '.repeat(read) + bullet) });
    if (isTooFar) moved.push(index + 1);
    return read === indent ? line : ' '.repeat(read) + line.slice(indentation.length);
  });
  return { text: moved.length === 0 ? text : lines.join('\n'), moved };
}
