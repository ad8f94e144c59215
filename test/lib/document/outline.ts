import type { AnyNode, JSONDocument } from '../../../src/lib/document/document.ts';
import { childrenOf } from '../../../src/lib/document/walk.ts';

/** A document as indented lines, one for each node, so that a test can say what it expects at a glance. */
export function outline(document: JSONDocument): string[] {
  return document.nodes.flatMap((node) => lines(node, 0));
}

function lines(node: AnyNode, depth: number): string[] {
  const indentation = '  '.repeat(depth);
  if (node.object === 'text') {
    const leaves = node.leaves.map(({ text, marks }) => {
      const names = marks.map((mark) =>
        mark.type === 'color' ? `${mark.data.text}/${mark.data.background}` : mark.type,
      );
      return JSON.stringify(text) + (names.length > 0 ? `(${names.join(' ')})` : '');
    });
    return [indentation + leaves.join(' ')];
  }
  const name = node.object === 'fragment' ? `:${node.fragment}` : node.type;
  const data = node.object === 'fragment' || Object.keys(node.data).length === 0 ? '' : ` ${JSON.stringify(node.data)}`;
  return [indentation + name + data, ...childrenOf(node).flatMap((child) => lines(child, depth + 1))];
}
