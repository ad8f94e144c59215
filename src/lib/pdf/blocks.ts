import type { Content } from 'pdfmake/interfaces.d.ts';
import type { Block, BlockOf, Fragment } from '../document/document.ts';
import { textOf } from '../document/plain-text.ts';
import type { CodePart } from '../highlight-code.ts';
import { barBox, GAP_BELOW, greyBox, tight } from './boxes.ts';
import { destination, linkOf, type Printing, targetOf, webLink } from './context.ts';
import { imageContent } from './images.ts';
import { plainRuns, textRuns } from './inlines.ts';
import { GAP, HINTS, INK, LINK, WIDTH } from './styles.ts';
import { tableContent } from './table.ts';

/** The blocks of a body in order. Blocks that cannot be printed (integrations, API references) are shown by name. */
export const blocksContent = (printing: Printing, blocks: readonly Block[]): Content[] =>
  blocks.flatMap((block) => blockContent(printing, block));

/** Font size and space above, by level. */
const HEADINGS = { 'heading-1': [18, 18], 'heading-2': [14, 14], 'heading-3': [11.5, 10] } as const;

function blockContent(printing: Printing, block: Block): Content[] {
  const inside = (blocks: readonly Block[]) => blocksContent(printing, blocks);
  switch (block.type) {
    case 'paragraph':
      return [{ text: textRuns(printing, block.nodes), ...alignment(block.data.align), margin: GAP_BELOW }];
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return [heading(printing, block)];
    case 'list-unordered':
      return [{ ul: block.nodes.map((item) => itemContent(inside(item.nodes))), margin: GAP_BELOW }];
    case 'list-ordered': {
      const { start } = block.data;
      return [
        {
          ol: block.nodes.map((item) => itemContent(inside(item.nodes))),
          ...(start !== undefined && { start }),
          margin: GAP_BELOW,
        },
      ];
    }
    case 'list-tasks':
      return block.nodes.map((item) => task(printing, item));
    case 'list-item':
    case 'if':
    case 'column':
      return inside(block.nodes);
    case 'divider':
      return [
        {
          canvas: [{ type: 'line', x1: 0, y1: 0, x2: WIDTH, y2: 0, lineWidth: 0.7, lineColor: INK.line }],
          margin: [0, 4, 0, 12],
        },
      ];
    case 'blockquote':
      return [barBox(inside(block.nodes), { bar: INK.line })];
    case 'hint':
      return [hint(printing, block, inside(block.nodes))];
    case 'code':
      return code(printing, block);
    case 'images':
      return block.nodes.flatMap((image) => picture(printing, image, block.data.align));
    case 'image':
      return picture(printing, block);
    case 'table':
      return [tableContent(printing, block, inside)];
    case 'expandable':
      return [barBox([...titleOf(printing, block.fragments), ...inside(bodyOf(block.fragments))], { bar: INK.line })];
    case 'tabs':
      return block.nodes.map((tab) =>
        barBox([boldLine(printing, tab.data.title ?? ''), ...inside(tab.nodes)], { bar: INK.line }),
      );
    case 'tabs-item':
      return inside(block.nodes);
    case 'stepper':
      return block.nodes.map((step, index) => numbered(printing, index + 1, inside(step.nodes)));
    case 'stepper-step':
      return inside(block.nodes);
    case 'columns':
      return [{ columns: block.nodes.map((column) => ({ stack: inside(column.nodes) })), columnGap: 12 }];
    case 'math':
      return [greyBox([{ text: plainRuns(printing, block.data.formula, { isMono: true }) }])];
    case 'unknown':
      return [greyBox([{ text: plainRuns(printing, block.data.source, { isMono: true }) }])];
    default:
      return named(printing, block);
  }
}

/** Items are closer to each other than paragraphs are. */
const itemContent = (content: Content[]): Content => ({ stack: tight(content), margin: [0, 0, 0, 3] });

const alignment = (align: 'start' | 'center' | 'end' | undefined) =>
  align === 'center' || align === 'end' ? { alignment: align === 'end' ? ('right' as const) : align } : {};

function heading(printing: Printing, block: BlockOf<'heading-1' | 'heading-2' | 'heading-3'>): Content {
  const anchor = block.meta?.id ?? block.data.id;
  const [fontSize, above] = HEADINGS[block.type];
  const isListed = anchor !== undefined && block.type === 'heading-1';
  return {
    text: textRuns(printing, block.nodes, { bold: true }),
    fontSize,
    lineHeight: 1.15,
    margin: [0, above, 0, 6],
    headlineLevel: 1,
    ...alignment(block.data.align),
    ...(anchor !== undefined && { id: destination(printing.pageId, anchor) }),
    ...(isListed && { outline: true, outlineText: textOf(block), outlineParentId: destination(printing.pageId) }),
  } as Content; // the types of pdfmake know an entry in the outline only without an id
}

const HINT_SIGNS: Record<string, string> = { info: 'ℹ', success: '✔', warning: '⚠', danger: '✖' };

function hint(printing: Printing, { data: { style } }: BlockOf<'hint'>, content: Content[]): Content {
  const colors = HINTS[style] ?? { bar: INK.line };
  const sign = HINT_SIGNS[style];
  if (sign === undefined) return barBox(content, colors);
  const columns = [
    { width: 14, text: plainRuns(printing, sign, { color: colors.bar }) },
    { width: '*', stack: tight(content) },
  ];
  return barBox([{ columns, columnGap: 4 }], colors);
}

function task(printing: Printing, item: BlockOf<'list-item'>): Content {
  const box = plainRuns(printing, item.data.checked ? '☑' : '☐');
  return {
    columns: [
      { width: 14, text: box },
      { width: '*', stack: tight(blocksContent(printing, item.nodes)) },
    ],
    columnGap: 4,
    margin: [0, 0, 0, 3],
  };
}

const numbered = (printing: Printing, number: number, content: Content[]): Content => ({
  columns: [
    { width: 18, text: plainRuns(printing, String(number), { bold: true, color: LINK }), fontSize: 13 },
    { width: '*', stack: content },
  ],
  columnGap: 6,
});

const boldLine = (printing: Printing, text: string): Content => ({
  text: plainRuns(printing, text, { bold: true }),
  margin: [0, 2, 0, 4],
});

/** Code keeps its lines and their indentation. Long lines wrap. */
function code(printing: Printing, block: BlockOf<'code'>): Content[] {
  const colored = printing.highlight(block.nodes.map(textOf).join('\n'), block.data.syntax);
  const lines = block.nodes.flatMap((line, index) => [
    ...(index === 0 ? [] : [{ text: '\n', font: 'Mono' }]),
    ...codeLine(printing, line, colored?.[index]),
  ]);
  const text: Content = {
    text: lines.length > 0 ? lines : ' ',
    fontSize: 8.5,
    preserveLeadingSpaces: true,
    preserveTrailingSpaces: true,
  };
  const { title } = block.data;
  return [...(title ? [boldLine(printing, title)] : []), greyBox([text])];
}

/** In its colors, unless the line has marks of its own, such as those of changes. */
function codeLine(printing: Printing, line: BlockOf<'code-line'>, parts: readonly CodePart[] | undefined) {
  const looks = { isMono: true, ...(line.data.highlighted && { bold: true, background: '#fff4c2' }) };
  const isPlain = line.nodes.every((node) => node.object === 'text' && node.leaves.every(({ marks }) => !marks.length));
  if (!parts || !isPlain) return textRuns(printing, line.nodes, looks);
  return parts.flatMap(({ text, color }) => plainRuns(printing, text, { ...looks, ...(color && { color }) }));
}

function picture(
  printing: Printing,
  image: BlockOf<'image'>,
  align: 'center' | 'left' | 'right' = 'center',
): Content[] {
  const caption = image.fragments.flatMap(({ nodes }) => nodes);
  const below: Content[] = caption.length
    ? [{ stack: blocksContent(printing, caption), alignment: align, color: INK.grey, fontSize: 9 }]
    : [];
  const shown = imageContent(printing, image.data);
  if (shown) return [{ ...shown, alignment: align, margin: [0, 4, 0, GAP] }, ...below];
  return [...namedLink(printing, image.data.alt || 'Image', linkOf(printing, image.data.ref)), ...below];
}

const fragmentOf = (fragments: readonly Fragment[], name: string) =>
  fragments.filter(({ fragment, type }) => fragment === name || type === name).flatMap(({ nodes }) => nodes);

function titleOf(printing: Printing, fragments: readonly Fragment[]): Content[] {
  return [{ stack: blocksContent(printing, fragmentOf(fragments, 'expandable-title')), bold: true }];
}

const bodyOf = (fragments: readonly Fragment[]) => fragmentOf(fragments, 'expandable-body');

/** A block that is shown by its name, with a link if it has a target. */
function named(printing: Printing, block: Block): Content[] {
  switch (block.type) {
    case 'file':
    case 'content-ref':
      return namedLink(
        printing,
        targetOf(printing, block.data.ref)?.label ?? labelOf(block.data.ref),
        linkOf(printing, block.data.ref),
      );
    case 'drawing':
      return block.data.ref ? namedLink(printing, 'Drawing', linkOf(printing, block.data.ref)) : [];
    case 'embed':
      return namedLink(printing, block.data.url, webLink(block.data.url));
    case 'swagger':
    case 'openapi-operation':
      return [boldLine(printing, `${block.data.method.toUpperCase()} ${block.data.path}`)];
    case 'openapi-schemas':
      return [boldLine(printing, block.data.schemas.join(', '))];
    case 'openapi-webhook':
      return [boldLine(printing, `${block.data.method.toUpperCase()} ${block.data.name}`)];
    case 'integration':
      return block.data.url ? namedLink(printing, block.data.url, webLink(block.data.url)) : [];
    default:
      return [];
  }
}

const labelOf = (ref: { kind: string; url?: string }) => ref.url ?? ref.kind;

const namedLink = (printing: Printing, label: string, link: object): Content[] => [
  {
    text: plainRuns(printing, `→ ${label}`, { ...link, ...(Object.keys(link).length > 0 && { color: LINK }) }),
    margin: GAP_BELOW,
  },
];
