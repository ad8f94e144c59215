import type { Column, Content } from 'pdfmake/interfaces.d.ts';
import type { ContentRef } from '../document/content-ref.ts';
import type { Block, BlockOf, Fragment, Phrasing } from '../document/document.ts';
import { textOf } from '../document/plain-text.ts';
import { formatDate } from '../format-date.ts';
import { directionOf } from '../text-direction.ts';
import { BAR_SIDES, barBox, flush, GAP_BELOW, unbreakable, withoutGapBelow } from './boxes.ts';
import { codeContent, sourceContent } from './code.ts';
import {
  destinationName,
  endSide,
  inReadingOrder,
  type PdfPrinting,
  pdfTarget,
  printedLink,
  startSide,
  webLink,
  withinWidth,
} from './context.ts';
import { formulaRuns } from './formula.ts';
import { iconRuns, labelWithSign, signRuns } from './icons.ts';
import { imageContent } from './images.ts';
import { textRuns } from './inlines.ts';
import { linkBox } from './link-box.ts';
import { listContent } from './lists.ts';
import { plainRuns, type TextRun } from './runs.ts';
import { GAP, HINTS, INK, LINK } from './styles.ts';
import { tableContent } from './table.ts';

/** The blocks of a body in order. Blocks that cannot be printed (integrations, API references) are shown by name. */
export const blocksContent = (printing: PdfPrinting, blocks: readonly Block[]): Content[] =>
  blocks.flatMap((block) => {
    const isTurned = printing.direction === 'ltr' && directionOf(textOf(block), 'ltr') === 'rtl';
    return isTurned ? turned(blockContent({ ...printing, direction: 'rtl' }, block)) : blockContent(printing, block);
  });

/** Content from right to left among content from left to right. */
const turned = (content: Content[]): Content[] =>
  content.map((part) => ({ alignment: 'right', ...(part as object) }) as Content);

/** Font size and space above, by level. */
const HEADINGS = { 'heading-1': [18, 18], 'heading-2': [14, 14], 'heading-3': [11.5, 10] } as const;

function blockContent(printing: PdfPrinting, block: Block): Content[] {
  const inside = (blocks: readonly Block[], usedWidth = 0) =>
    blocksContent(usedWidth > 0 ? withinWidth(printing, printing.width - usedWidth) : printing, blocks);
  switch (block.type) {
    case 'paragraph':
      return paragraph(printing, block);
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return [heading(printing, block)];
    case 'list-unordered':
    case 'list-ordered':
      return [listContent(printing, block, blocksContent)];
    case 'list-tasks':
      return [{ stack: block.nodes.map((item) => task(printing, item)), margin: GAP_BELOW }];
    case 'list-item':
    case 'if':
    case 'column':
      return inside(block.nodes);
    case 'divider':
      return [
        {
          canvas: [{ type: 'line', x1: 0, y1: 0, x2: printing.width, y2: 0, lineWidth: 0.7, lineColor: INK.line }],
          margin: [0, 4, 0, 12],
        },
      ];
    case 'blockquote':
      return [box(printing, inside(block.nodes, BAR_SIDES), block.nodes, { bar: INK.line })];
    case 'hint':
      return [hint(printing, block)];
    case 'code':
      return codeContent(printing, block);
    case 'images':
      return pictures(printing, block);
    case 'image':
      return picture(printing, block);
    case 'table':
      return tableContent(printing, block, blocksContent);
    case 'expandable':
      return [
        box(
          printing,
          [...titleOf(printing, block.fragments), ...inside(bodyOf(block.fragments), BAR_SIDES)],
          bodyOf(block.fragments),
          { bar: INK.line },
        ),
      ];
    case 'tabs':
      return block.nodes.map((tab) =>
        box(printing, [tabTitle(printing, tab), ...inside(tab.nodes, BAR_SIDES)], tab.nodes, { bar: LINK }),
      );
    case 'tabs-item':
      return inside(block.nodes);
    case 'stepper':
      return block.nodes.map((step, index) => numbered(printing, step, index + 1));
    case 'stepper-step':
    case 'update':
      return inside(block.nodes);
    case 'updates':
      return block.nodes.flatMap(({ data: { date, tags = [] }, nodes }) => {
        const dateText = formatDate(date, block.data.format, printing.source.language);
        return [boldLine(printing, [dateText, ...tags.map(({ tag }) => tag)].join(' · ')), ...inside(nodes)];
      });
    case 'columns':
      return [columns(printing, block)];
    case 'math':
      return [{ text: formulaRuns(printing, block.data.formula), alignment: 'center', margin: [0, 4, 0, GAP + 4] }];
    case 'unknown':
      return [sourceContent(printing, block.data.source)];
    default:
      return named(printing, block);
  }
}

const COLUMN_GAP = 12;

/** A paragraph of nothing but images shows them in a row. Elsewhere in a line, images are shown by their names. */
function paragraph(printing: PdfPrinting, block: BlockOf<'paragraph'>): Content[] {
  const images = imagesIn(block.nodes)?.flatMap((image) => imageContent(printing, image) ?? []);
  if (images && images.length > 0)
    return [inRow(printing, images, block.data.align === 'center' ? 'center' : startSide(printing))];
  return [{ text: textRuns(printing, block.nodes), ...alignment(printing, block.data.align), margin: GAP_BELOW }];
}

/** The images of a line, linked ones included; undefined if it contains anything else. */
function imagesIn(nodes: readonly Phrasing[]): { ref: BlockOf<'image'>['data']['ref'] }[] | undefined {
  const images: { ref: BlockOf<'image'>['data']['ref'] }[] = [];
  for (const node of nodes) {
    if (node.object === 'text') {
      if (textOf(node).trim() !== '') return undefined;
    } else if (node.type === 'inline-image') images.push(node.data);
    else if (node.type === 'link') {
      const inner = imagesIn(node.nodes);
      if (!inner) return undefined;
      images.push(...inner);
    } else return undefined;
  }
  return images;
}

/** Images side by side, made smaller if they do not fit otherwise. */
function inRow(
  printing: PdfPrinting,
  images: NonNullable<ReturnType<typeof imageContent>>[],
  align: 'center' | 'left' | 'right',
): Content {
  if (images.length === 1) return { stack: images, alignment: align, margin: [0, 4, 0, GAP] };
  const most = (printing.width - COLUMN_GAP * (PER_ROW - 1)) / PER_ROW;
  const rows = Array.from({ length: Math.ceil(images.length / PER_ROW) }, (_, row) =>
    images.slice(row * PER_ROW, (row + 1) * PER_ROW),
  );
  return {
    stack: rows.map(
      (row): Content => ({
        columns: inReadingOrder<Column>(
          printing,
          row.map((image) => {
            const [width = most, height = most] = image.fit ?? [];
            return { width: 'auto', stack: [{ ...image, fit: [Math.min(width, most), height] }] };
          }),
        ),
        columnGap: COLUMN_GAP,
        margin: [0, 0, 0, 4],
      }),
    ),
    margin: [0, 4, 0, GAP],
  };
}

/** Images in a row. */
const PER_ROW = 3;

/** Columns with their widths in percent; others share the rest. */
function columns(printing: PdfPrinting, { nodes }: BlockOf<'columns'>): Content {
  const total = printing.width - COLUMN_GAP * (nodes.length - 1);
  const fixedWidths = nodes.map(({ data: { width } }) =>
    typeof width === 'object' && width.unit === '%' && width.value > 0 ? (total * Math.min(100, width.value)) / 100 : 0,
  );
  const free = fixedWidths.filter((width) => width === 0).length;
  const restWidth = Math.max(0, total - fixedWidths.reduce((sum, width) => sum + width, 0));
  const widths = fixedWidths.map((width) => width || Math.max(restWidth / Math.max(1, free), total / 10));
  const scale = total / widths.reduce((sum, width) => sum + width, 0);
  return {
    columns: inReadingOrder<Column>(
      printing,
      nodes.map((column, index) => {
        const width = (widths[index] ?? total) * scale;
        return { width, stack: blocksContent(withinWidth(printing, width), column.nodes) };
      }),
    ),
    columnGap: COLUMN_GAP,
  };
}

/** A box, which stays on one sheet if it is small. */
function box(
  { width, direction }: PdfPrinting,
  content: Content[],
  blocks: readonly Block[],
  colors: { bar: string; ground?: string },
): Content {
  const result = barBox(content, { width, direction }, colors);
  return isSmall(blocks) ? unbreakable(result) : result;
}

/** Limits of small boxes: characters, where a line counts as several, and blocks. */
const MAX_SMALL = 1_200;
const PER_LINE = 50;
const MAX_SMALL_BLOCKS = 10;
/** Blocks that are as high as their text is long. */
const SMALL = new Set(['paragraph', 'code', 'list-unordered', 'list-ordered', 'list-tasks', 'hint']);

const isSmall = (blocks: readonly Block[]): boolean =>
  blocks.length <= MAX_SMALL_BLOCKS &&
  blocks.every(({ type }) => SMALL.has(type)) &&
  blocks.reduce((sum, block) => sum + sizeOf(textOf(block)), 0) <= MAX_SMALL;

const sizeOf = (text: string) => text.split('\n').reduce((sum, { length }) => sum + Math.max(length, PER_LINE), 0);

const alignment = (printing: PdfPrinting, align: 'start' | 'center' | 'end' | undefined) =>
  align === 'center' || align === 'end' ? { alignment: align === 'end' ? endSide(printing) : align } : {};

function heading(printing: PdfPrinting, block: BlockOf<'heading-1' | 'heading-2' | 'heading-3'>): Content {
  const anchor = block.meta?.id ?? block.data.id;
  const [fontSize, above] = HEADINGS[block.type];
  const isListed = anchor !== undefined && block.type === 'heading-1';
  return {
    text: textRuns(printing, block.nodes, { bold: true }),
    fontSize,
    lineHeight: 1.15,
    margin: [0, above, 0, 6],
    headlineLevel: 1,
    ...alignment(printing, block.data.align),
    ...(anchor !== undefined && { id: destinationName(printing.pageId, anchor) }),
    ...(isListed && { outline: true, outlineText: textOf(block), outlineParentId: destinationName(printing.pageId) }),
  } as Content; // the types of pdfmake know an entry in the outline only without an id
}

const HINT_SIGNS = {
  info: 'circle-info',
  success: 'circle-check',
  warning: 'circle-exclamation',
  danger: 'triangle-exclamation',
};

/** In the color of its style, after its own icon or that of the style. */
function hint(printing: PdfPrinting, { data: { style, icon }, nodes }: BlockOf<'hint'>): Content {
  const colors = HINTS[style] ?? { bar: INK.line };
  const own = icon === undefined ? [] : iconRuns(printing, icon, { color: colors.bar });
  const sign = own.length > 0 ? own : iconRuns(printing, HINT_SIGNS[style] ?? '', { color: colors.bar });
  return box(printing, [withSign(printing, 16, sign, nodes, BAR_SIDES)], nodes, colors);
}

const task = (printing: PdfPrinting, { data: { checked }, nodes }: BlockOf<'list-item'>): Content => ({
  stack: [withSign(printing, 14, plainRuns(printing, checked ? '☑' : '☐', checked ? { color: LINK } : {}), nodes)],
  margin: [0, 0, 0, 3],
});

/** Blocks after a sign of this width. */
function withSign(printing: PdfPrinting, width: number, sign: TextRun[], nodes: readonly Block[], sides = 0): Content {
  const inner = withinWidth(printing, printing.width - width - SIGN_GAP - sides);
  return {
    columns: inReadingOrder<Column>(printing, [
      { width, text: sign },
      { width: inner.width, stack: flush(withoutGapBelow(blocksContent(inner, nodes))) },
    ]),
    columnGap: SIGN_GAP,
  };
}

const SIGN_GAP = 5;

/** A step with its icon, or its number in a circle. */
function numbered(printing: PdfPrinting, { data: { icon }, nodes }: BlockOf<'stepper-step'>, number: number): Content {
  const look = { color: LINK };
  const own = icon === undefined ? [] : iconRuns(printing, icon, { ...look, fontSize: 12 });
  const circled = number <= 10 ? String.fromCodePoint(FIRST_CIRCLED + number) : String(number);
  const sign = own.length > 0 ? own : plainRuns(printing, circled, { ...look, bold: true, fontSize: 15 });
  return { stack: [withSign(printing, 18, sign, nodes)], margin: GAP_BELOW };
}

/** The negative circled digits are from 1 to 10. */
const FIRST_CIRCLED = 0x2775;

const tabTitle = (printing: PdfPrinting, { data: { title, icon } }: BlockOf<'tabs-item'>): Content => ({
  text: labelWithSign(
    printing,
    signRuns(printing, { ...(icon !== undefined && { icon }) }, { color: LINK }),
    plainRuns(printing, title ?? '', { bold: true, color: LINK }),
  ),
  margin: [0, 0, 0, 5],
});

const boldLine = (printing: PdfPrinting, text: string): Content => ({
  text: plainRuns(printing, text, { bold: true }),
  margin: [0, 2, 0, 4],
});

function picture(
  printing: PdfPrinting,
  image: BlockOf<'image'>,
  align: 'center' | 'left' | 'right' = 'center',
): Content[] {
  const caption = image.fragments.flatMap(({ nodes }) => nodes);
  const below: Content[] = caption.length
    ? [{ stack: blocksContent(printing, caption), alignment: align, color: INK.grey, fontSize: 9 }]
    : [];
  const content = imageContent(printing, image.data);
  if (content) {
    const stack = [{ ...content, alignment: align, margin: [0, 4, 0, GAP] } as Content, ...below];
    return below.length > 0 ? [{ stack, unbreakable: true }] : stack;
  }
  const { alt, ref } = image.data;
  const label = alt || pdfTarget(printing, ref)?.label || (ref.kind === 'url' ? ref.url : 'Image');
  return [linkBox(printing, { icon: 'image', label }, printedLink(printing, ref)), ...below];
}

/** One image, or several in rows of three with their captions. */
function pictures(printing: PdfPrinting, { nodes, data: { align } }: BlockOf<'images'>): Content[] {
  if (nodes.length < 2) return nodes.flatMap((image) => picture(printing, image, align));
  const width = (printing.width - COLUMN_GAP * (PER_ROW - 1)) / PER_ROW;
  return Array.from({ length: Math.ceil(nodes.length / PER_ROW) }, (_, row): Content => {
    const some = nodes.slice(row * PER_ROW, (row + 1) * PER_ROW);
    return {
      columns: inReadingOrder<Column>(
        printing,
        some.map((image) => ({ width, stack: picture(withinWidth(printing, width), image, align) })),
      ),
      columnGap: COLUMN_GAP,
    };
  });
}

const fragmentOf = (fragments: readonly Fragment[], name: string) =>
  fragments.filter(({ fragment, type }) => fragment === name || type === name).flatMap(({ nodes }) => nodes);

function titleOf(printing: PdfPrinting, fragments: readonly Fragment[]): Content[] {
  const title = fragmentOf(fragments, 'expandable-title');
  return [
    {
      text: [...plainRuns(printing, '▾ ', { color: INK.grey }), ...plainRuns(printing, title.map(textOf).join(' '))],
      bold: true,
      margin: [0, 0, 0, 5],
    },
  ];
}

const bodyOf = (fragments: readonly Fragment[]) => fragmentOf(fragments, 'expandable-body');

/** A block that is shown by its name, with a link if it has a target. */
function named(printing: PdfPrinting, block: Block): Content[] {
  switch (block.type) {
    case 'file':
    case 'content-ref':
      return [reference(printing, block.data.ref, block.type === 'file' ? 'file' : 'file-lines')];
    case 'drawing':
      return block.data.ref ? drawing(printing, block.data.ref) : [];
    case 'embed':
      return [linkBox(printing, { icon: 'link', label: block.data.url }, webLink(block.data.url))];
    case 'swagger':
    case 'openapi-operation':
      return [boldLine(printing, `${block.data.method.toUpperCase()} ${block.data.path}`)];
    case 'openapi-schemas':
      return [boldLine(printing, block.data.schemas.join(', '))];
    case 'openapi-webhook':
      return [boldLine(printing, `${block.data.method.toUpperCase()} ${block.data.name}`)];
    case 'integration':
      return block.data.url
        ? [linkBox(printing, { icon: 'link', label: block.data.url }, webLink(block.data.url))]
        : [];
    default:
      return [];
  }
}

function drawing(printing: PdfPrinting, ref: BlockOf<'file'>['data']['ref']): Content[] {
  const content = imageContent(printing, { ref });
  return content
    ? [{ ...content, alignment: 'center', margin: [0, 4, 0, GAP] }]
    : [linkBox(printing, { icon: 'image', label: 'Drawing' }, printedLink(printing, ref))];
}

/** The title of a page, the name of a file, or an address. */
function reference(printing: PdfPrinting, ref: ContentRef, icon: string): Content {
  const target = pdfTarget(printing, ref);
  const label = target?.label ?? (ref.kind === 'url' ? ref.url : ref.kind);
  const { emoji, icon: own = icon } = target ?? {};
  return linkBox(printing, { icon: own, label, ...(emoji && { emoji }) }, printedLink(printing, ref));
}
