import type { Code } from 'mdast';
import { block, codeLines } from '../../build.ts';
import { type AnyNode, type Block, type CodeData, MAX_NODE_DEPTH } from '../../document.ts';
import { withoutKeys } from '../../keys.ts';
import { validateDocument } from '../../validate.ts';
import { childrenOf } from '../../walk.ts';
import { flagOf, jsonOf, numberValue } from '../attribute-values.ts';
import { BLOCK_FENCE, MATH_FENCE } from '../forms.ts';
import type { MarkupElement } from './item.ts';
import type { ReadContext } from './read-context.ts';

/** A fenced or indented code block. Fences with the two special languages stay code within `{% code %}`. */
export function readCode(node: Code, ctx: ReadContext, depth: number): Block {
  if (node.lang === MATH_FENCE && !node.meta) return block('math', { data: { formula: node.value } });
  const stored = node.lang === BLOCK_FENCE ? storedBlock(node.value, depth) : undefined;
  return stored ?? codeBlock(node, {}, ctx);
}

/** `{% code title="…" %}` around a fence. Other content follows the code block. */
export function readCodeTag(element: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  const at = element.items.findIndex((item) => item.kind === 'node' && item.node.type === 'code');
  const item = element.items[at];
  if (item?.kind !== 'node' || item.node.type !== 'code') return ctx.blocks(element.items, depth);
  const before = ctx.blocks(element.items.slice(0, at), depth);
  const after = ctx.blocks(element.items.slice(at + 1), depth);
  return [
    ...before,
    codeBlock(item.node, codeData(element.attributes), ctx, element.attributes.get('highlight')),
    ...after,
  ];
}

function codeBlock(node: Code, data: CodeData, ctx: ReadContext, highlight?: string): Block {
  const { title, rest } = metaOf(node.meta ?? '');
  if (rest)
    ctx.report(node.position?.start.line ?? 0, `The text after the language of a code block is left out: ${rest}`);
  const highlighted = linesIn(highlight ?? '');
  const nodes = codeLines(node.value).map((line, i) =>
    highlighted.some(([first, last]) => first <= i + 1 && i + 1 <= last)
      ? { ...line, data: { highlighted: true } }
      : line,
  );
  const syntax = node.lang ? { syntax: node.lang } : {};
  return block('code', { data: { ...syntax, ...(title !== undefined && { title }), ...data }, nodes });
}

/** The settings of a code block in the attributes of its tag. */
export function codeData(attributes: MarkupElement['attributes']): CodeData {
  const data: CodeData = {};
  const title = attributes.get('title');
  if (title !== undefined) data.title = title;
  const overflow = attributes.get('overflow');
  if (overflow === 'wrap' || overflow === 'scroll') data.overflow = overflow;
  for (const name of ['lineNumbers', 'fullWidth', 'expandable'] as const) {
    const flag = flagOf(attributes.get(name));
    if (flag !== undefined) data[name] = flag;
  }
  const count = numberValue(attributes.get('collapsedLineCount'));
  if (count !== undefined && Number.isSafeInteger(count) && count >= 1) data.collapsedLineCount = count;
  return data;
}

function metaOf(meta: string): { title?: string; rest: string } {
  const [attribute, title] = /(?:^|\s)title="([^"]*)"/.exec(meta) ?? [];
  return { ...(title !== undefined && { title }), rest: meta.replace(attribute ?? '', '').trim() };
}

/** Ranges such as `1,3-5`. */
function linesIn(ranges: string): [number, number][] {
  return ranges
    .split(',', 1000)
    .map((range) => /^\s*(\d{1,9})(?:-(\d{1,9}))?\s*$/.exec(range))
    .flatMap((match): [number, number][] => (match ? [[Number(match[1]), Number(match[2] ?? match[1])]] : []));
}

function storedBlock(source: string, depth: number): Block | undefined {
  const node = jsonOf(source);
  const checked = validateDocument({ object: 'document', data: {}, nodes: [node] });
  if ('issues' in checked) return undefined;
  const [stored] = checked.document.nodes;
  return stored && depth + depthOf(stored) <= MAX_NODE_DEPTH ? withoutKeys(stored) : undefined;
}

function depthOf(node: AnyNode): number {
  return 1 + childrenOf(node).reduce((deepest, child) => Math.max(deepest, depthOf(child)), 0);
}
