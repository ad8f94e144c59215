import type { RootContent } from 'mdast';
import { trimEndOf, trimStartOf } from '../../../trim-characters.ts';
import { inline, textNode } from '../../build.ts';
import type { Mark, Phrasing } from '../../document.ts';
import { codeOfEmojiName } from '../../emoji.ts';
import { htmlText } from '../entities.ts';
import type { Item } from './item.ts';
import { itemsOf } from './items.ts';
import { type LineState, mark } from './line-state.ts';
import { annotationOf, footnoteLabel } from './read-annotation.ts';
import type { ReadContext } from './read-context.ts';
import { readInlineElement } from './read-inline-element.ts';
import { readImage, readImageReference, readLink, readLinkReference } from './read-link.ts';

/** Marks that are nested deeper are read as plain text; they can only be repetitions. */
const MAX_MARK_DEPTH = 100;

/** The text and inlines of a line, before `tidyPhrasing` normalizes them. */
export function readLine(items: readonly Item[], ctx: ReadContext, depth: number): Phrasing[] {
  return stateOf(ctx, depth, [], 0).items(items);
}

function stateOf(ctx: ReadContext, depth: number, marks: readonly Mark[], level: number): LineState {
  const below = (extra: Mark | undefined): LineState =>
    stateOf(ctx, depth, extra ? [...marks, extra] : marks, level + 1);
  return {
    ctx,
    depth,
    marks,
    items: (items, extra) => readItems(items, below(extra), level),
    nodes: (nodes, extra) => readItems(itemsOf(nodes, ctx.report, false), below(extra), level),
  };
}

function readItems(items: readonly Item[], state: LineState, level: number): Phrasing[] {
  if (level > MAX_MARK_DEPTH) return [textNode(plainText(items), [...state.marks])];
  const line: Phrasing[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (!item) continue;
    const annotation = annotatedLink(item, items[i + 1], state);
    if (annotation) i += 1;
    for (const node of annotation ?? readItem(item, state)) line.push(node);
  }
  return line;
}

/** `[text](#user-content-fn-1)[^1]`: a link to a footnote and its reference are one annotation. */
function annotatedLink(item: Item, next: Item | undefined, state: LineState): Phrasing[] | undefined {
  if (item.kind !== 'node' || item.node.type !== 'link' || next?.kind !== 'node') return undefined;
  if (next.node.type !== 'footnoteReference' || footnoteLabel(item.node.url) === undefined) return undefined;
  return annotationOf(next.node.identifier, state.nodes(item.node.children), next.node, state);
}

function readItem(item: Item, state: LineState): Phrasing[] {
  if (item.kind === 'text') return [textNode(htmlText(item.source), [...state.marks])];
  return item.kind === 'element' ? readInlineElement(item, state) : readNode(item.node, state);
}

function readNode(node: RootContent, state: LineState): Phrasing[] {
  const { ctx, marks } = state;
  switch (node.type) {
    case 'text':
      return [textNode(onOneLine(node.value), [...marks])];
    case 'emphasis':
      return state.nodes(node.children, mark('italic'));
    case 'strong':
      return state.nodes(node.children, mark('bold'));
    case 'delete':
      return state.nodes(node.children, mark('strikethrough'));
    case 'inlineCode':
      // Line endings in a code span are spaces, and the lines of a paragraph lose their indentation (CommonMark 0.31.2).
      return [textNode(node.value.replace(/\n[ \t]*/g, ' '), [...marks, mark('code')])];
    case 'break':
      return [textNode('\n', [...marks])];
    case 'link':
      return readLink(node, state);
    case 'linkReference':
      return readLinkReference(node, state);
    case 'image':
      return [readImage(node, ctx)];
    case 'imageReference':
      return readImageReference(node, state);
    case 'footnoteReference':
      return annotationOf(
        node.identifier,
        [textNode(node.label ?? node.identifier, [mark('superscript')])],
        node,
        state,
      );
    case 'inlineMath':
      return [inline('inline-math', { data: { formula: node.value.replaceAll('\n', ' ') } })];
    case 'emojiName':
      return [readEmojiName(node.value, marks)];
    default:
      return 'children' in node ? state.nodes(node.children) : [textNode(plainValue(node), [...marks])];
  }
}

/** The lines of a text as one, trimmed. */
function onOneLine(value: string): string {
  if (!value.includes('\n')) return value;
  const lines = value.split('\n');
  return lines
    .map((line, i) => {
      const begun = i === 0 ? line : trimStartOf(line, ' \t');
      return i === lines.length - 1 ? begun : trimEndOf(begun, ' \t');
    })
    .join(' ');
}

function readEmojiName(name: string, marks: readonly Mark[]): Phrasing {
  const code = codeOfEmojiName(name);
  return code === undefined ? textNode(`:${name}:`, [...marks]) : inline('emoji', { data: { code } });
}

/** All descendant text. Not recursive. */
function plainText(items: readonly Item[]): string {
  const parts: string[] = [];
  const pending: (Item | RootContent)[] = items.toReversed();
  for (let next = pending.pop(); next; next = pending.pop()) {
    if ('kind' in next && next.kind === 'text') parts.push(htmlText(next.source));
    else if (!('kind' in next) && !('children' in next)) parts.push(plainValue(next));
    else for (const child of below(next).toReversed()) pending.push(child);
  }
  return parts.join('');
}

function below(next: Item | RootContent): readonly (Item | RootContent)[] {
  if (!('kind' in next)) return 'children' in next ? next.children : [];
  if (next.kind === 'node') return [next.node];
  return next.kind === 'element' ? next.items : [];
}

function plainValue(node: RootContent): string {
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? '';
  return 'value' in node ? node.value : '';
}
