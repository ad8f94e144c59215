import { canonicalJson } from '../../../canonical.ts';
import { fragmentNamed } from '../../build.ts';
import type { Block, BlockOf } from '../../document.ts';
import type { Item, MarkupElement } from '../read/item.ts';
import { isBlank, itemLine } from '../read/items.ts';
import { joinChildren, type PatchedChild } from './join-pieces.ts';
import { contentLength, linesOf } from './lines-of.ts';
import { meaningOf } from './meaning.ts';
import { pairByMeaning } from './pair-by-meaning.ts';
import type { PatchInside } from './patch-list.ts';
import type { SourceUnit, SourceUnits } from './source-units.ts';

type Panel = BlockOf<'tabs'> | BlockOf<'stepper'> | BlockOf<'updates'> | BlockOf<'columns'>;
type PanelItem = Panel['nodes'][number];

/** How a block is printed without regard to the source. */
type PrintAnew = (block: Block) => string;

/**
 * A quotation, or a container between tags, with changed content. Its lines around the content are kept where they mean
 * the same. Undefined if its lines are laid out otherwise.
 */
export function patchPanel(
  source: SourceUnits,
  unit: SourceUnit,
  block: Block,
  inside: PatchInside,
  print: PrintAnew,
): string | undefined {
  const [previous, ...more] = unit.blocks;
  const [item, ...others] = unit.items;
  if (!previous || !item || more.length > 0 || others.length > 0 || previous.type !== block.type) return undefined;
  if (block.type === 'blockquote') return patchQuote(unit.text, block, inside);
  if (item.kind !== 'element') return undefined;
  if (block.type === 'hint' || block.type === 'if') return patchElement(source, item, previous, block, inside, print);
  if (isPanel(block) && isPanel(previous)) return patchItems(source, item, previous, block, inside, print);
  if (block.type === 'expandable' && previous.type === 'expandable') {
    return patchDetails(source, item, previous, block, inside);
  }
  return undefined;
}

function patchQuote(text: string, block: BlockOf<'blockquote'>, inside: PatchInside): string | undefined {
  const lines = linesOf(text);
  if (!lines.every((line) => /^ {0,3}>(?: |[ \t]*[\r\n]*$)/.test(line))) return undefined;
  const content = inside(lines.map((line) => line.replace(/^ {0,3}> ?/, '')).join(''), block.nodes);
  return linesOf(content)
    .map((line) => (contentLength(line) === 0 ? `>${line}` : `> ${line}`))
    .join('');
}

/** The lines of an element: its tags on lines of their own, and everything between them. */
function elementLines({ lines }: SourceUnits, { line, endLine }: MarkupElement) {
  const [opening = '', closing = ''] = [lines[line - 1], lines[endLine - 1]];
  const isTag = (text: string): boolean => /^[ \t]*\{%(?:(?!%\}).)*%\}\s*$/.test(text);
  if (endLine <= line || !isTag(opening) || !isTag(closing)) return undefined;
  const inner = lines.slice(line, endLine - 1).join('');
  return { opening, inner, closing: closing.slice(0, contentLength(closing)) };
}

function patchElement(
  source: SourceUnits,
  element: MarkupElement,
  previous: Block,
  block: BlockOf<'hint'> | BlockOf<'if'> | PanelItem,
  inside: PatchInside,
  print: PrintAnew,
): string | undefined {
  const parts = elementLines(source, element);
  if (!parts) return undefined;
  const isSame = canonicalJson(previous.data) === canonicalJson(block.data);
  const opening = isSame ? parts.opening : `${print(block).split(/\r\n?|\n/, 1)[0] ?? ''}${source.lineEnd}`;
  const content = inside(parts.inner, block.nodes);
  const needsEnd = content !== '' && contentLength(content) === content.length;
  return `${opening}${content}${needsEnd ? source.lineEnd : ''}${parts.closing}`;
}

function patchItems(
  source: SourceUnits,
  element: MarkupElement,
  previous: Panel,
  block: Panel,
  inside: PatchInside,
  print: PrintAnew,
): string | undefined {
  const elements = element.items.filter((item): item is MarkupElement => item.kind === 'element');
  if (!element.items.every((item) => item.kind === 'element' || isBlank(item))) return undefined;
  if (canonicalJson(previous.data) !== canonicalJson(block.data)) return undefined;
  if (elements.length !== previous.nodes.length || !elements.every((each) => elementLines(source, each)))
    return undefined;
  const { lines } = source;
  const partners = pairByMeaning(previous.nodes.map(withMeaning), block.nodes.map(withMeaning));
  const children = block.nodes.map((node, i): PatchedChild => {
    const at = partners[i] ?? -1;
    const [old, tag] = [previous.nodes[at], elements[at]];
    if (!old || !tag) return { text: printedItem(block, node, print) };
    if (meaningOf(old).identity === meaningOf(node).identity)
      return { at, text: linesBetween(lines, tag.line, tag.endLine) };
    return { at, text: patchElement(source, tag, old, node, inside, (item) => printedItem(block, item, print)) ?? '' };
  });
  const gaps = elements.slice(1).map((next, i) => gapAfter(lines, elements[i]?.endLine ?? 0, next.line));
  const [first, last] = [elements[0], elements.at(-1)];
  if (!first || !last || children.length === 0) return undefined;
  const before = lines.slice(element.line - 1, first.line - 1).join('');
  const after = gapAfter(lines, last.endLine, element.endLine);
  const usual = [...gaps, source.lineEnd + source.lineEnd];
  return (
    before +
    joinChildren(children, usual, source.lineEnd) +
    after +
    linesBetween(lines, element.endLine, element.endLine)
  );
}

/** `<details>` with its summary, which must be the same, before the content. */
function patchDetails(
  source: SourceUnits,
  element: MarkupElement,
  previous: BlockOf<'expandable'>,
  block: BlockOf<'expandable'>,
  inside: PatchInside,
): string | undefined {
  const { lines } = source;
  const title = (node: BlockOf<'expandable'>): string =>
    canonicalJson([
      node.data,
      (fragmentNamed(node.fragments, 'expandable-title')?.nodes ?? []).map((each) => meaningOf(each as Block).identity),
    ]);
  const first = element.items.find(isNode);
  const closing = lines[element.endLine - 1] ?? '';
  if (!first || title(previous) !== title(block) || closing.trim() !== '</details>') return undefined;
  const from = itemLine(first) - 1;
  const head = lines.slice(element.line - 1, from).join('');
  if (from < element.line || !head.includes('</summary>')) return undefined;
  const body = fragmentNamed(block.fragments, 'expandable-body')?.nodes ?? [];
  const content = inside(lines.slice(from, element.endLine - 1).join(''), body);
  return head + content + closing.slice(0, contentLength(closing));
}

const isNode = (item: Item): boolean => item.kind === 'node';

const isPanel = (block: Block): block is Panel =>
  block.type === 'tabs' || block.type === 'stepper' || block.type === 'updates' || block.type === 'columns';

const withMeaning = (block: Block) => ({ block, meaning: meaningOf(block) });

/** A single item: its container without the first and the last line. */
function printedItem(panel: Panel, item: Block, print: PrintAnew): string {
  const alone = { ...panel, nodes: [item] } as Panel; // an item of the same panel
  return print(alone).split('\n').slice(1, -1).join('\n').replace(/\r$/, '');
}

function linesBetween(lines: readonly string[], line: number, endLine: number): string {
  const text = lines.slice(line - 1, endLine).join('');
  return text.slice(0, contentLength(text));
}

function gapAfter(lines: readonly string[], endLine: number, nextLine: number): string {
  const last = lines[endLine - 1] ?? '';
  return last.slice(contentLength(last)) + lines.slice(endLine, nextLine - 1).join('');
}
