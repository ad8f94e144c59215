import type { List } from 'mdast';
import type { Block, BlockOf } from '../../document.ts';
import { isList } from '../write/write-list.ts';
import { joinChildren, type PatchedChild } from './join-pieces.ts';
import { contentLength } from './lines-of.ts';
import { type Meaning, meaningOf } from './meaning.ts';
import { pairByMeaning } from './pair-by-meaning.ts';
import type { SourceUnit, SourceUnits } from './source-units.ts';

/** The text of an item apart from its marker and its indentation. */
interface ItemText {
  prefix: string;
  /** The check of a task, with the space after it. */
  box: string;
  content: string;
}

/** Patches the content of a parent. Empty for an empty body. */
export type PatchInside = (text: string, blocks: readonly Block[]) => string;

const marker = /^([-+*]|\d{1,9}[.)])( {1,4}(?=\S)|$)(\[[ xX]\][ ]+)?/;

/**
 * A list with changed items, in which the other items keep their text. Undefined if its lines are laid out otherwise.
 */
export function patchList(
  source: SourceUnits,
  unit: SourceUnit,
  block: Block,
  inside: PatchInside,
): string | undefined {
  const [previous] = unit.blocks;
  const [item, ...others] = unit.items;
  if (!isList(block) || !isList(previous) || block.type !== previous.type || others.length > 0) return undefined;
  if (item?.kind !== 'node' || item.node.type !== 'list') return undefined;
  const texts = itemTexts(source, item.node, block.type === 'list-tasks');
  if (!texts || texts.length !== previous.nodes.length) return undefined;
  const partners = pairByMeaning(previous.nodes.map(readItem), block.nodes.map(readItem));
  const children = block.nodes.map((node, i): PatchedChild => {
    const at = partners[i] ?? -1;
    const old = texts[at];
    const same = previous.nodes[at];
    if (old && same && meaningOf(same).identity === meaningOf(node).identity) {
      return { at, text: numbered(old.source, i === 0 ? block : undefined) };
    }
    const model = old ?? texts[Math.max(0, Math.min(i, texts.length) - 1)];
    const changed = { ...(model ?? { prefix: '- ', box: '' }), content: old?.content ?? '' };
    const text = itemText(
      numbered(changed.prefix, old && i > 0 ? undefined : block, i),
      boxOf(node, changed.box),
      inside(changed.content, node.nodes),
    );
    return old ? { at, text } : { text };
  });
  return joinChildren(children, gapsOf(source, item.node), source.lineEnd);
}

const readItem = (node: BlockOf<'list-item'>): { block: Block; meaning: Meaning } => ({
  block: node,
  meaning: meaningOf(node),
});

function itemTexts(
  { lines }: SourceUnits,
  list: List,
  isTasks: boolean,
): (ItemText & { source: string })[] | undefined {
  const texts: (ItemText & { source: string })[] = [];
  for (const { position } of list.children) {
    if (!position) return undefined;
    const itemLines = lines.slice(position.start.line - 1, position.end.line);
    const column = position.start.column - 1;
    const [first = '', ...rest] = itemLines;
    const lead = first.slice(0, column);
    const [match, sign = '', space = '', box = ''] = marker.exec(first.slice(column, contentLength(first))) ?? [];
    if (match === undefined || lead.trim() !== '' || (box !== '') !== isTasks) return undefined;
    const prefix = lead + sign + (space || ' ');
    const indent = ' '.repeat(prefix.length);
    if (!rest.every((line) => line.startsWith(indent) || line.trim() === '')) return undefined;
    const inner = rest.map((line) =>
      line.startsWith(indent) ? line.slice(indent.length) : line.slice(contentLength(line)),
    );
    const content = trimmedEnd(first.slice(column + match.length) + inner.join(''));
    texts.push({ prefix, box, content, source: trimmedEnd(itemLines.join('')) });
  }
  return texts;
}

function trimmedEnd(text: string): string {
  return text.slice(0, contentLength(text));
}

function gapsOf({ lines }: SourceUnits, list: List): string[] {
  return list.children.slice(1).map(({ position }, i) => {
    const end = list.children[i]?.position?.end.line ?? 0;
    const last = lines[end - 1] ?? '';
    return last.slice(contentLength(last)) + lines.slice(end, (position?.start.line ?? 1) - 1).join('');
  });
}

/** The text of an item with the number that it needs; the number stays as it is without a list. */
function numbered(text: string, list: Block | undefined, index = 0): string {
  if (list?.type !== 'list-ordered') return text;
  return text.replace(/^( {0,3})\d{1,9}/, (_, lead: string) => `${lead}${(list.data.start ?? 1) + index}`);
}

function boxOf({ data: { checked } }: BlockOf<'list-item'>, box: string): string {
  if (checked === undefined) return '';
  if (box !== '' && /x/i.test(box) === checked) return box;
  return checked ? '[x] ' : '[ ] ';
}

function itemText(prefix: string, box: string, content: string): string {
  const indent = ' '.repeat(prefix.length);
  return `${prefix}${box}${content}`.trimEnd().replace(/(\r\n?|\n)(?=[^\r\n])/g, `$1${indent}`);
}
