import { columnWidth } from '../list-columns.ts';

/** Indentation from which on an item is no longer one (CommonMark, 5.2). */
const TOO_FAR = 4;

interface Item {
  depth: number;
  indent: number;
  /** Column of its text. */
  content: number;
}

/**
 * The indentation of the items of a list, written one after another. A line that would not be an item of its depth
 * below the preceding ones is re-indented, because items may use different widths.
 */
export class ListPlaces {
  readonly #width: number;
  /** The latest item of each depth, up to the current one. */
  #open: Item[] = [];

  /** `indent` is what items of the second level are indented by. */
  constructor(indent: string) {
    this.#width = columnWidth(indent);
  }

  placed({ depth, isHeading }: { depth: number; isHeading: boolean }, line: string): string {
    const match = /^([ \t]*)([*+-][ \t]+)/.exec(line);
    if (isHeading || !match) {
      this.#open = [];
      return line;
    }
    const [marker, indentation = '', bullet = ''] = match;
    const parent = this.#open.findLast((item) => item.depth < depth);
    const sibling = this.#open.find((item) => item.depth === depth);
    const from = parent?.content ?? 0;
    const end = Math.min(from + TOO_FAR, sibling?.content ?? Number.POSITIVE_INFINITY);
    const present = columnWidth(indentation);
    const isInPlace = present >= from && present < end;
    const step = parent ? Math.max(from, parent.indent + this.#width) : 0;
    const indent = isInPlace ? present : Math.min(sibling?.indent ?? step, end - 1);
    this.#open = [
      ...this.#open.filter((item) => item.depth < depth),
      { depth, indent, content: columnWidth(' '.repeat(indent) + bullet) },
    ];
    return isInPlace ? line : ' '.repeat(indent) + bullet + line.slice(marker.length);
  }
}
