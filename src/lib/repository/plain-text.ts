import type { Nodes } from 'mdast';

/** The text of Markdown without marks, HTML, line breaks and control characters. */
export const plainText = (node: Nodes) => cleanTitle(textOf(node));

/** A title of one line. */
export const cleanTitle = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

function textOf(node: Nodes): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value;
  if (node.type === 'break') return ' ';
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? '';
  return 'children' in node ? node.children.map(textOf).join('') : '';
}
