import type { RootContent } from 'mdast';
import { trimEndOf, trimStartOf } from '../../../trim-characters.ts';
import { escapeTag } from '../entities.ts';
import { syntaxTree } from '../syntax/syntax-tree.ts';
import { isKnownHtml } from './html-names.ts';
import type { Item, NodeItem, PlacedItem } from './item.ts';
import { blockTagTokens, htmlTokens, type MarkupToken } from './markup.ts';
import { moveLines } from './move-lines.ts';
import { literal, pairTokens } from './pair-tokens.ts';
import type { Report } from './report.ts';
import { costOf } from './source-cost.ts';

/**
 * Converts sibling nodes to items. A tag without a partner among them becomes text, or is dropped in an HTML block,
 * where a browser would ignore it. Comments are dropped as well.
 */
export function itemsOf(nodes: readonly RootContent[], report: Report, inBlock: boolean): Item[] {
  if (!nodes.some((node) => node.type === 'html' || node.type === 'blockTag')) return nodes.map(asNode);
  return pairTokens(
    nodes.flatMap((node) => place(node, inBlock, report)),
    report,
  );
}

export function itemLine(item: Item): number {
  return item.kind === 'node' ? lineOfNode(item.node) : item.line;
}

/** Empty, or white space in HTML. Other Unicode spaces are text. */
export function isSpace(text: string): boolean {
  return /^[ \t\n]*$/.test(text);
}

/** White space between the tags of an HTML block. */
export function isBlank(item: Item): boolean {
  return item.kind === 'text' && isSpace(item.source);
}

const phrasing = new Set<RootContent['type']>(
  [
    'text',
    'emphasis',
    'strong',
    'delete',
    'inlineCode',
    'break',
    'link',
    'linkReference',
    'image',
    'imageReference',
  ].concat(['footnoteReference', 'inlineMath', 'emojiName']) as RootContent['type'][], // names of node types
);

/** Whether an item is Markdown within a line. */
export function isPhrasing(item: Item): boolean {
  return item.kind === 'node' && phrasing.has(item.node.type);
}

/** Whether an item is or contains Markdown blocks. */
export function holdsFlow(item: Item): boolean {
  return item.kind === 'node' ? !isPhrasing(item) : item.kind === 'element' && item.items.some(holdsFlow);
}

function place(node: RootContent, inBlock: boolean, report: Report): PlacedItem[] {
  const line = lineOfNode(node);
  if (node.type === 'blockTag') return blockTagTokens(node.value).flatMap((token) => placeTag(token, line));
  if (node.type !== 'html') return [asNode(node)];
  const tokens = htmlTokens(node.value);
  const isUnclosed = /^<!--(?!.*-->)/s.test(node.value);
  if (inBlock && (isUnclosed || isForeign(tokens))) {
    return [asNode({ type: 'code', lang: 'html', value: node.value, position: node.position })];
  }
  let isVerbatim = false;
  return tokens.flatMap((token) => {
    if ('name' in token && token.name === 'pre') isVerbatim = token.kind === 'open';
    return isVerbatim ? [{ ...token, line, inBlock }] : placeHtml(token, line, inBlock, report);
  });
}

/** Tags with unknown names are text. In HTML blocks, a line with a block tag also counts as one. */
function placeHtml(token: MarkupToken, line: number, inBlock: boolean, report: Report): PlacedItem[] {
  if ((token.kind === 'open' || token.kind === 'close') && !isKnownHtml(token.name)) {
    return [{ kind: 'text', source: escapeTag(token.source), line, inBlock }];
  }
  if (token.kind !== 'text' || !inBlock || !token.source.includes('{%')) return [{ ...token, line, inBlock }];
  return token.source.split(/\n([ \t]*\{%[^\n]*%\}[ \t]*)(?=\n|$)/).flatMap((part, i): PlacedItem[] => {
    if (i % 2 === 1) return blockTagTokens(part).flatMap((each) => placeTagInHtml(each, line, report));
    return part === '' ? [] : [{ kind: 'text', source: part, line, inBlock }];
  });
}

/** Time limit in milliseconds for Markdown between two tags in HTML, which is not part of the cost of a segment. */
const MAX_TEXT_MS = 2;

function placeTagInHtml(token: MarkupToken, line: number, report: Report): PlacedItem[] {
  if (token.kind !== 'text') return placeTag(token, line);
  if (costOf([{ text: token.source, isRaw: false, isCut: false }]) <= MAX_TEXT_MS) return placeTag(token, line);
  report(line, 'The text between two tags is too complex to be read as Markdown and is kept as it was written.');
  return [asNode(literal(token.source.trim(), line))];
}

/** A tag, or the Markdown between two tags of a line. */
function placeTag(token: MarkupToken, line: number): PlacedItem[] {
  if (token.kind === 'text') {
    const nodes = syntaxTree(token.source.trim());
    moveLines(nodes, line - 1);
    return nodes.map(asNode);
  }
  return [{ ...token, line, inBlock: true }];
}

/** Whether an HTML block has unknown elements and no opening tag that a later block closes. */
function isForeign(tokens: readonly MarkupToken[]): boolean {
  const open = new Map<string, number>();
  let isUnknown = false;
  for (const token of tokens) {
    if (token.kind !== 'open' && token.kind !== 'close') continue;
    if (!isKnownHtml(token.name)) isUnknown = true;
    else if (token.kind === 'close') open.set(token.name, (open.get(token.name) ?? 0) - 1);
    else if (!token.isVoid) open.set(token.name, (open.get(token.name) ?? 0) + 1);
  }
  return isUnknown && [...open.values()].every((count) => count === 0);
}

function asNode(node: RootContent): NodeItem {
  return { kind: 'node', node };
}

function lineOfNode(node: RootContent): number {
  return node.position?.start.line ?? 0;
}

/** A run of HTML text and elements, trimmed. */
export function trimmedItems(run: readonly Item[]): Item[] {
  const first = run.findIndex((item) => !isBlank(item));
  const last = run.findLastIndex((item) => !isBlank(item));
  if (first === -1) return [];
  return run.slice(first, last + 1).map((item, i, all) => {
    if (item.kind !== 'text') return item;
    const source = i === 0 ? trimStartOf(item.source, ' \t\n') : item.source;
    return { ...item, source: i === all.length - 1 ? trimEndOf(source, ' \t\n') : source };
  });
}
