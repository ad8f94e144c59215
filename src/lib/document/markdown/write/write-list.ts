import type { Block, BlockOf } from '../../document.ts';
import { isEmptyParagraph } from '../../empty.ts';
import { isSpace } from '../read/items.ts';
import { indent } from './layout.ts';
import type { WriteStyle } from './write-context.ts';

export type List = BlockOf<'list-ordered'> | BlockOf<'list-unordered'> | BlockOf<'list-tasks'>;

/** The marker of list items: a bullet, or the character after a number. */
export type Marker = '*' | '-' | '+' | '.' | ')';

export function isList(node: Block | undefined): node is List {
  return node?.type === 'list-ordered' || node?.type === 'list-unordered' || node?.type === 'list-tasks';
}

/**
 * A marker that separates the list from the preceding list, and from the bullet of the item it starts: `* * *` would be
 * a divider.
 */
export function markerOf(
  list: List,
  previous: Marker | undefined,
  outer: Marker | undefined,
  { bullet = '*', delimiter = '.' }: WriteStyle = {},
): Marker {
  const usual = list.type === 'list-ordered' ? delimiter : bullet;
  const other = list.type === 'list-ordered' ? otherThan(delimiter, '.', ')') : otherThan(bullet, '*', '-');
  return previous === usual || outer === usual ? other : usual;
}

function otherThan(marker: Marker, first: Marker, second: Marker): Marker {
  return marker === first ? second : first;
}

/** A list. `writeBody` prints the blocks of an item, with or without empty lines between them. */
export function writeList(list: List, marker: Marker, writeBody: (nodes: Block[], isTight: boolean) => string): string {
  const isTight = list.nodes.every(isTightItem);
  const first = list.type === 'list-ordered' ? (list.data.start ?? 1) : 0;
  const items = list.nodes.map((item, i) => {
    const sign = list.type === 'list-ordered' ? `${first + i}${marker}` : marker;
    const body = writeBody(item.nodes, isTight);
    const content = list.type === 'list-tasks' ? `[${item.data.checked ? 'x' : ' '}] ${body || '<p></p>'}` : body;
    return content === '' ? sign : `${sign} ${indent(content, sign.length + 1)}`;
  });
  return items.join(isTight ? '\n' : '\n\n');
}

/** One block, or a paragraph followed by a list that can follow without an empty line (CommonMark section 5.2). */
function isTightItem({ nodes }: BlockOf<'list-item'>): boolean {
  const [first, second, ...others] = nodes;
  if (first?.anchors || second?.anchors) return false;
  if (!second) return true;
  if (others.length > 0 || !isList(second) || !isLine(first)) return false;
  const isInterrupting = second.type !== 'list-ordered' || second.data.start === undefined;
  const [head] = second.nodes[0]?.nodes ?? [];
  return isInterrupting && isLine(head) && second.nodes.every(isTightItem);
}

/** A paragraph that is printed as Markdown, not as HTML. */
function isLine(node: Block | undefined): boolean {
  if (node?.type !== 'paragraph' || node.data.align || isEmptyParagraph(node)) return false;
  return node.nodes.some((each) =>
    each.object === 'text' ? each.leaves.some(({ text }) => !isSpace(text)) : !isImage(each),
  );
}

function isImage(node: { type: string }): boolean {
  return node.type === 'inline-image';
}
