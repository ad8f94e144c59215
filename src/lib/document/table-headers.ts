import type { Block, Fragment, Phrasing, TableColumn } from './document.ts';
import { textOfBlocks, textOfLine } from './plain-text.ts';
import type { Cells } from './table-cells.ts';

/**
 * The title of a column as it was written; undefined if the title is plain text. A header whose text differs from the
 * title no longer counts: the title was changed by a client that does not know headers.
 */
export function headerOf(cells: Cells, { header, title }: TableColumn): Fragment | undefined {
  const fragment = header === undefined ? undefined : cells.get(header);
  return fragment && titleOf(fragment.nodes) === title ? fragment : undefined;
}

/** The title of a column as plain text. Several blocks become one line. */
export function titleOf(nodes: readonly Block[]): string {
  const [only, ...others] = nodes;
  if (only?.type === 'paragraph' && others.length === 0) return textOfLine(only.nodes);
  return textOfBlocks(nodes).replaceAll('\n', ' ');
}

/** Whether a title is complete as plain text: one line without marks, links and images. */
export function isPlainTitle(nodes: readonly Block[]): boolean {
  const [only, ...others] = nodes;
  if (!only || others.length > 0) return !only;
  return only.type === 'paragraph' && !only.data.align && !only.anchors && only.nodes.every(isPlain);
}

function isPlain(node: Phrasing): boolean {
  if (node.object === 'inline') return node.type === 'emoji';
  return node.leaves.every(({ marks }) => marks.length === 0);
}

export const isUntitled = ({ title, header }: TableColumn): boolean => title === '' && header === undefined;
