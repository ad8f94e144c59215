import { block, codeLines, paragraph, text } from '../document/build.ts';
import type { Block, BlockOf, Fragment, Mark, Phrasing } from '../document/document.ts';
import { documentOf } from '../document/empty.ts';
import { printMarkdown } from '../document/markdown/print.ts';
import { blockRules } from '../document/node-rules.ts';
import { textOf } from '../document/plain-text.ts';
import type { Change } from './word-diff.ts';

/** How text is marked that came or went: colours, and a line through what went. */
const PAINT: Record<Exclude<Change, 'same'>, Mark[]> = {
  added: [{ object: 'mark', type: 'color', data: { text: 'green', background: 'default' } }],
  deleted: [
    { object: 'mark', type: 'strikethrough' },
    { object: 'mark', type: 'color', data: { text: 'red', background: 'default' } },
  ],
};

const SIGNS: Record<Change, string> = { same: '  ', added: '+ ', deleted: '- ' };

/** The longest source that stands for a block that went and has no text to be marked. */
const MOST_SOURCE = 300;

/** A block with all of its text marked. One that has none stays when it came, and is shown as its source when it went. */
export function paintBlock(node: Block, change: 'added' | 'deleted'): Block {
  if (node.type === 'code') return paintedCode(node, [{ change, lines: linesOf(node) }]);
  if (hasText(node)) return paintNode(node, change);
  if (change === 'added') return node;
  const source = printMarkdown(documentOf([node]))
    .trim()
    .slice(0, MOST_SOURCE);
  return paragraph([text(source, [{ object: 'mark', type: 'code' }, ...PAINT.deleted])]);
}

/** Pieces of a line, marked. Inlines are marked by the text in them. */
export const paintLine = (nodes: readonly Phrasing[], change: Change): Phrasing[] =>
  change === 'same' ? [...nodes] : nodes.map((node) => paintPhrasing(node, change));

/** A block of code whose lines begin with a sign of what became of them. */
export function paintedCode(
  node: BlockOf<'code'>,
  runs: readonly { change: Change; lines: readonly string[] }[],
): BlockOf<'code'> {
  const signed = runs.flatMap(({ change, lines }) => lines.map((line) => SIGNS[change] + line));
  return block('code', { data: { ...node.data, syntax: 'diff' }, nodes: codeLines(signed.join('\n')) });
}

export const linesOf = ({ nodes }: BlockOf<'code'>): string[] => nodes.map(textOf);

/** Only text can be marked. A table is taken as a whole, so what its other cells say is said by its text. */
function hasText(node: Block): boolean {
  return blockRules[node.type].children !== 'none' || 'fragments' in node ? textOf(node).trim() !== '' : false;
}

function paintNode<T extends Block>(node: T, change: 'added' | 'deleted'): T {
  const copy: Record<string, unknown> = { ...node };
  if ('nodes' in node) copy.nodes = node.nodes.map((each) => paintAny(each, change));
  if ('fragments' in node) copy.fragments = node.fragments.map((each) => paintFragment(each, change));
  return copy as unknown as T; // the same members, some of them copied
}

function paintAny(node: Block | Phrasing, change: 'added' | 'deleted'): Block | Phrasing {
  if (node.object !== 'block') return paintPhrasing(node, change);
  return node.type === 'code' ? paintBlock(node, change) : paintNode(node, change);
}

const paintFragment = (fragment: Fragment, change: 'added' | 'deleted'): Fragment => ({
  ...fragment,
  nodes: fragment.nodes.map((each) => (each.type === 'code' ? paintBlock(each, change) : paintNode(each, change))),
});

function paintPhrasing(node: Phrasing, change: 'added' | 'deleted'): Phrasing {
  if (node.object === 'inline') {
    if (node.type !== 'link' && node.type !== 'annotation') return node;
    return { ...node, nodes: node.nodes.map((each) => paintPhrasing(each, change)) };
  }
  const isKept = ({ type }: Mark) => type !== 'color' && type !== 'strikethrough';
  return {
    ...node,
    leaves: node.leaves.map((leaf) => ({ ...leaf, marks: [...leaf.marks.filter(isKept), ...PAINT[change]] })),
  };
}
