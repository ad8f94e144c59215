import { paragraph } from '../build.ts';
import type { Block, BlockType } from '../document.ts';
import { allowedBlocks, inlineRules } from '../node-rules.ts';
import { textOf } from '../plain-text.ts';
import { essentialForm } from './essential-form.ts';
import type { Report } from './report.ts';

/** For whom blocks are fitted, and where its Markdown stands. */
export interface Parent {
  type: BlockType;
  /** The types it holds, where they are not those of its `nodes`. */
  allowed?: readonly BlockType[];
  line: number;
  report: Report;
}

interface Part {
  isInside: boolean;
  blocks: Block[];
}

/**
 * Blocks for a parent with one body: what it cannot hold is said by simpler blocks or, where that would lose code, a
 * condition or a specification, stands beside it. Code in a quotation gives quotation, code, quotation.
 */
export function split(parent: Parent, blocks: readonly Block[], make: (nodes: Block[]) => Block): Block[] {
  const parts = partsOf(parent, blocks);
  if (parts.length === 0) return [make([paragraph()])];
  return parts.flatMap((part) => (part.isInside ? [make(part.blocks)] : part.blocks));
}

/** The same for a parent that cannot be cut, as a tab: what it cannot hold comes to stand behind all of it. */
export function separate(parent: Parent, blocks: readonly Block[]): { inside: Block[]; outside: Block[] } {
  const parts = partsOf(parent, blocks);
  const of = (isInside: boolean): Block[] => parts.flatMap((part) => (part.isInside === isInside ? part.blocks : []));
  return { inside: of(true), outside: of(false) };
}

/** The body of an annotation, beside which nothing can stand: the last resort is plain text. */
export function fitAnnotation(blocks: readonly Block[], line: number, report: Report): Block[] {
  const allowed = inlineRules.annotation.fragments?.[0]?.allowed ?? [];
  return fitted(allowed, blocks).flatMap((each) => {
    if (allowed.includes(each.type)) return [each];
    report(line, `A footnote cannot hold a block of type ${each.type}: only its text is kept.`);
    return [paragraph(textOf(each))];
  });
}

function partsOf(
  { type, allowed = allowedBlocks(type) ?? [], line, report }: Parent,
  blocks: readonly Block[],
): Part[] {
  const parts: Part[] = [];
  for (const each of blocks) {
    if (allowed.includes(each.type)) append(parts, true, each);
    else {
      // An image says the same inside of a paragraph.
      if (each.type !== 'images') report(line, `A block of type ${type} cannot hold one of type ${each.type}.`);
      for (const part of fitted(allowed, [each])) append(parts, allowed.includes(part.type), part);
    }
  }
  return parts;
}

/** Blocks in their simpler forms as far as that is needed; those without such a form as they are. */
function fitted(allowed: readonly BlockType[], blocks: readonly Block[]): Block[] {
  return blocks.flatMap((each) => {
    if (allowed.includes(each.type)) return [each];
    const form = essentialForm(each);
    return form ? fitted(allowed, form) : [each];
  });
}

function append(parts: Part[], isInside: boolean, each: Block): void {
  const last = parts.at(-1);
  if (last?.isInside === isInside) last.blocks.push(each);
  else parts.push({ isInside, blocks: [each] });
}
