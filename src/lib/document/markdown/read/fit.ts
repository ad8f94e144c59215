import { paragraph } from '../../build.ts';
import type { Block, BlockType } from '../../document.ts';
import { allowedBlocks, inlineRules } from '../../node-rules.ts';
import { textOf } from '../../plain-text.ts';
import { essentialForm } from './essential-form.ts';
import type { Report } from './report.ts';

/** The parent that blocks are fitted into, and the place of its Markdown. */
export interface Parent {
  type: BlockType;
  /** The allowed types, if they differ from those of its `nodes`. */
  allowed?: readonly BlockType[];
  line: number;
  report: Report;
}

interface Part {
  isInside: boolean;
  blocks: Block[];
}

/**
 * Fits blocks into a parent with one body. Blocks that are not allowed are converted to simpler ones or, if that would
 * lose code, a condition or a specification, moved beside the parent. Code in a quotation results in quotation, code,
 * quotation.
 */
export function split(parent: Parent, blocks: readonly Block[], make: (nodes: Block[]) => Block): Block[] {
  const parts = partsOf(parent, blocks);
  if (parts.length === 0) return [make([paragraph()])];
  return parts.flatMap((part) => (part.isInside ? [make(part.blocks)] : part.blocks));
}

/** The same for a parent that cannot be split, such as a tab: blocks that are not allowed are moved after it. */
export function separate(parent: Parent, blocks: readonly Block[]): { inside: Block[]; outside: Block[] } {
  const parts = partsOf(parent, blocks);
  const of = (isInside: boolean): Block[] => parts.flatMap((part) => (part.isInside === isInside ? part.blocks : []));
  return { inside: of(true), outside: of(false) };
}

/** The body of an annotation, which cannot have blocks beside it. The last resort is plain text. */
export function fitAnnotation(blocks: readonly Block[], line: number, report: Report): Block[] {
  const allowed = inlineRules.annotation.fragments?.[0]?.allowed ?? [];
  return fitted(allowed, blocks).flatMap((block) => {
    if (allowed.includes(block.type)) return [block];
    report(line, `A footnote cannot contain a block of type ${block.type}. Only its text is kept.`);
    return [paragraph(textOf(block))];
  });
}

function partsOf(
  { type, allowed = allowedBlocks(type) ?? [], line, report }: Parent,
  blocks: readonly Block[],
): Part[] {
  const parts: Part[] = [];
  for (const block of blocks) {
    if (allowed.includes(block.type)) append(parts, true, block);
    else {
      // An image is equivalent within a paragraph.
      if (block.type !== 'images')
        report(line, `A block of type ${type} cannot contain a block of type ${block.type}.`);
      for (const part of fitted(allowed, [block])) append(parts, allowed.includes(part.type), part);
    }
  }
  return parts;
}

/** Converts blocks to simpler forms where necessary. Blocks without a simpler form stay unchanged. */
function fitted(allowed: readonly BlockType[], blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) => {
    if (allowed.includes(block.type)) return [block];
    const form = essentialForm(block);
    return form ? fitted(allowed, form) : [block];
  });
}

function append(parts: Part[], isInside: boolean, block: Block): void {
  const last = parts.at(-1);
  if (last?.isInside === isInside) last.blocks.push(block);
  else parts.push({ isInside, blocks: [block] });
}
