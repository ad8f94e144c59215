import type { Block } from '../../document.ts';
import { writeBlocks } from '../write/write-blocks.ts';
import type { WriteContext, WriteStyle } from '../write/write-context.ts';
import { isList } from '../write/write-list.ts';
import type { Style } from './style.ts';
import { padColumns } from './table-lines.ts';
import { wrapParagraph } from './wrap.ts';

/** Options for printing a block again. */
export interface BlockPrinting {
  ctx: WriteContext;
  style: Style;
  lineEnd: string;
}

/** A block in the style of a text. `before` is what stood in its place, whose line breaks are kept. */
export function printBlock(block: Block, { ctx, style, lineEnd }: BlockPrinting, before?: string): string {
  const printed = writeBlocks([block], { ...ctx, style });
  return withLineEnds(styled(block, printed, style, before), lineEnd);
}

/** A block in the form that `printMarkdown` prints, which is read back certainly. */
export function printPlainly(block: Block, { ctx, lineEnd }: BlockPrinting, marker: WriteStyle = {}): string {
  return withLineEnds(writeBlocks([block], { ...ctx, style: marker }), lineEnd);
}

export function withLineEnds(text: string, lineEnd: string): string {
  return lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd);
}

/** The markers of lists that keep a list apart from the lists next to it. */
export function apartFrom(style: Style, neighbours: readonly (string | undefined)[]): Style {
  const usedMarkers = neighbours.map((text) => /^[ \t]*(?:\d{1,9})?([-+*.)])/.exec(text ?? '')?.[1]);
  const bullet = ([style.bullet ?? '*', '*', '-', '+'] as const).find((each) => !usedMarkers.includes(each));
  const delimiter = ([style.delimiter ?? '.', '.', ')'] as const).find((each) => !usedMarkers.includes(each));
  return { ...style, ...(bullet && { bullet }), ...(delimiter && { delimiter }) };
}

function styled(block: Block, printed: string, style: Style, before: string | undefined): string {
  switch (block.type) {
    case 'heading-1':
    case 'heading-2':
      return style.isSetext ? underlined(printed) : printed;
    case 'paragraph':
      return printed.startsWith('<') ? printed : wrapParagraph(broken(printed, style), style.width, before);
    case 'code':
      return style.fence === '~' ? withTildes(printed) : printed;
    case 'images':
      return figureInDivision(printed);
    case 'table':
      if (printed.startsWith('|')) return style.isCompact ? printed : padColumns(printed);
      return printed.startsWith('<table') ? printed.replaceAll('\n', '') : printed;
    default:
      return isList(block) ? broken(printed, style) : printed;
  }
}

/** Hard breaks in the form of the text. */
function broken(printed: string, { hardBreak = '\\' }: Style): string {
  if (hardBreak === '\\' || printed.includes('```')) return printed;
  return printed.replace(/(?<!\\)\\\n/g, `${hardBreak}\n`);
}

function underlined(heading: string): string {
  const [, signs = '', title = ''] = /^(#{1,2}) (.+)$/.exec(heading) ?? [];
  if (title === '') return heading;
  return `${title}\n${(signs === '#' ? '=' : '-').repeat(Math.max(3, title.length))}`;
}

function withTildes(code: string): string {
  const [, fence = ''] = /^(`{3,})[^`]*(?:\n|$)/.exec(code) ?? [];
  if (fence === '' || !code.endsWith(`\n${fence}`) || code.includes('~~~')) return code;
  return `~~~${code.slice(fence.length, -fence.length)}~~~`;
}

function figureInDivision(printed: string): string {
  const [all, align = '', rest = ''] = /^<figure( align="[a-z]+")([^>]*)>/.exec(printed) ?? [];
  return all ? `<div${align}><figure${rest}>${printed.slice(all.length)}</div>` : printed;
}
