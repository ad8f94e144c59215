import { inline, textNode } from './build.ts';
import type { Inline, Leaf, Mark, MarkType, Phrasing, Text } from './document.ts';
import { splitEmoji } from './emoji.ts';

/** Context of a line of text: in blocks, emoji are inlines; elsewhere they are plain text. */
export type PhrasingContext = 'block' | 'link' | 'annotation' | 'code';

/** Marks in their canonical order, outermost first. Code cannot contain other marks. */
const markOrder: readonly MarkType[] = [
  'color',
  'bold',
  'italic',
  'strikethrough',
  'superscript',
  'subscript',
  'keyboard',
  'code',
];

/**
 * Normalizes a line of text: joins adjacent texts and leaves with equal marks, orders marks, removes empty leaves, and
 * turns emoji into inlines. Always returns at least one text.
 */
export function tidyPhrasing(
  nodes: readonly Phrasing[],
  place: PhrasingContext,
  tidy: (node: Inline) => Inline,
): Phrasing[] {
  const joined: Phrasing[] = [];
  for (const node of nodes) {
    if (node.object === 'inline') joined.push(tidy(node));
    else for (const leaf of node.leaves) for (const part of tidyLeaf(leaf, place)) append(joined, part, node.key);
  }
  const result = place === 'block' ? joined.flatMap(withEmoji) : joined;
  return result.length > 0 ? result : [textNode('')];
}

function tidyMarks(marks: readonly Mark[]): Mark[] {
  if (marks.length === 0) return [];
  const byType = new Map(marks.map((mark) => [mark.type, mark]));
  return markOrder.flatMap((type) => byType.get(type) ?? []).filter((mark) => !isColorless(mark));
}

function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a.length === b.length && a.every((mark, i) => sameMark(mark, b[i]));
}

export function sameMark(a: Mark, b: Mark | undefined): boolean {
  if (a.type !== b?.type) return false;
  return a.type !== 'color' || b.type !== 'color' || sameColor(a.data, b.data);
}

function sameColor(a: { text: string; background: string }, b: { text: string; background: string }): boolean {
  return a.text === b.text && a.background === b.background;
}

function isColorless(mark: Mark): boolean {
  return mark.type === 'color' && mark.data.text === 'default' && mark.data.background === 'default';
}

function tidyLeaf(leaf: Leaf, place: PhrasingContext): Leaf[] {
  if (leaf.text === '') return [];
  const marks = place === 'code' ? [] : tidyMarks(leaf.marks);
  if (marks.at(-1)?.type === 'code' && leaf.text.includes('\n')) return splitCode(leaf.text, marks);
  return [{ object: 'leaf', text: leaf.text, marks }];
}

/** The text split at its emoji, except in code. */
function withEmoji(node: Phrasing): Phrasing[] {
  if (node.object === 'inline') return [node];
  const parts = node.leaves.flatMap((leaf): (Leaf | Inline)[] => {
    if (leaf.marks.at(-1)?.type === 'code') return [leaf];
    return splitEmoji(leaf.text).map((part) =>
      typeof part === 'string' ? { ...leaf, text: part } : inline('emoji', { data: { code: part.code } }),
    );
  });
  if (parts.every((part) => part.object === 'leaf')) return [node];
  const cut: Phrasing[] = [];
  for (const part of parts) append(cut, part, cut.length === 0 ? node.key : undefined);
  return cut;
}

/** Code ends at a line break, because code spans in Markdown have none. */
function splitCode(value: string, marks: Mark[]): Leaf[] {
  return value
    .split(/(\n+)/)
    .filter(Boolean)
    .map((part) => ({ object: 'leaf', text: part, marks: part.startsWith('\n') ? marks.slice(0, -1) : marks }));
}

function append(result: Phrasing[], part: Leaf | Inline, key: string | undefined): void {
  const last = result.at(-1);
  if (part.object === 'inline') result.push(part);
  else if (last?.object === 'text') appendLeaf(last, part);
  else {
    const node: Text = { object: 'text', leaves: [part] };
    if (key !== undefined) node.key = key;
    result.push(node);
  }
}

function appendLeaf(node: Text, leaf: Leaf): void {
  const last = node.leaves.at(-1);
  if (last && sameMarks(last.marks, leaf.marks)) {
    node.leaves[node.leaves.length - 1] = { ...last, text: last.text + leaf.text };
  } else {
    node.leaves.push(leaf);
  }
}
