import { block, codeLines, paragraph, textNode } from '../document/build.ts';
import type { Block, BlockOf, Fragment, Mark, Phrasing } from '../document/document.ts';
import { documentOf } from '../document/empty.ts';
import { IN_PAGES } from '../document/markdown/forms.ts';
import { printMarkdown } from '../document/markdown/print.ts';
import { blockRules } from '../document/node-rules.ts';
import { textOf } from '../document/plain-text.ts';
import type { WordChange } from './word-diff.ts';

/** Marks of added and deleted text. */
const PAINT: Record<Exclude<WordChange, 'same'>, Mark[]> = {
  added: [{ object: 'mark', type: 'color', data: { text: 'green', background: 'default' } }],
  deleted: [
    { object: 'mark', type: 'strikethrough' },
    { object: 'mark', type: 'color', data: { text: 'red', background: 'default' } },
  ],
};

const SIGNS: Record<WordChange, string> = { same: '  ', added: '+ ', deleted: '- ' };

/** Maximum length of the source that is shown for a deleted block without text. */
const MAX_SOURCE_CHARACTERS = 300;

/** Marks all text of a block. A block without text stays as it is when added and is shown as source when deleted. */
export function paintBlock(node: Block, change: 'added' | 'deleted'): Block {
  if (node.type === 'code') return paintedCode(node, [{ change, lines: linesOfCode(node) }]);
  if (hasText(node)) return paintNode(node, change);
  if (change === 'added') return node;
  const source = printMarkdown(documentOf([node]), IN_PAGES)
    .trim()
    .slice(0, MAX_SOURCE_CHARACTERS);
  return paragraph([textNode(source, [{ object: 'mark', type: 'code' }, ...PAINT.deleted])]);
}

/** Marks pieces of a line. Inlines are marked by their text. */
export const paintLine = (nodes: readonly Phrasing[], change: WordChange): Phrasing[] =>
  change === 'same' ? [...nodes] : nodes.map((node) => paintPhrasing(node, change));

/** A code block in the format of a diff, with a sign before each line. */
export function paintedCode(
  node: BlockOf<'code'>,
  runs: readonly { change: WordChange; lines: readonly string[] }[],
): BlockOf<'code'> {
  const signed = runs.flatMap(({ change, lines }) => lines.map((line) => SIGNS[change] + line));
  return block('code', { data: { ...node.data, syntax: 'diff' }, nodes: codeLines(signed.join('\n')) });
}

export const linesOfCode = ({ nodes }: BlockOf<'code'>): string[] => nodes.map(textOf);

/** Only text can be marked. A table counts as a whole: one cell with text is enough. */
function hasText(node: Block): boolean {
  return blockRules[node.type].children !== 'none' || 'fragments' in node ? textOf(node).trim() !== '' : false;
}

function paintNode<T extends Block>(node: T, change: 'added' | 'deleted'): T {
  const copy: Record<string, unknown> = { ...node };
  if ('nodes' in node) copy.nodes = node.nodes.map((each) => paintAny(each, change));
  if ('fragments' in node) copy.fragments = node.fragments.map((each) => paintFragment(each, change));
  return copy as unknown as T; // the same properties, some of them copied
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
