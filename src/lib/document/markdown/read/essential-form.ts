import { block, fragmentNamed, inline, paragraph, textNode } from '../../build.ts';
import type { ContentRef } from '../../content-ref.ts';
import type { Block, BlockOf, Phrasing } from '../../document.ts';
import { isEmptyParagraph } from '../../empty.ts';
import { textOf, textOfLine } from '../../plain-text.ts';
import { stableUrl } from '../../stable-url.ts';
import { cellAt, cellsOf, recordsOf, tableColumns } from '../../table-cells.ts';
import { printDate } from '../update-tags.ts';
import { mark } from './line-state.ts';

/**
 * A block converted to paragraphs, lists and its content, for places where it is not allowed. Undefined for blocks that
 * would lose their purpose: code, conditions, specifications and integrations. Images keep their keys.
 */
export function essentialForm(node: Block): Block[] | undefined {
  switch (node.type) {
    case 'images':
      return [{ ...paragraph(node.nodes.map(inlineImage)), ...keyOf(node) }];
    case 'math':
      return [paragraph([inline('inline-math', { data: { formula: node.data.formula.replaceAll('\n', ' ') } })])];
    case 'drawing':
      return node.data.ref ? [paragraph([inline('inline-image', { data: { ref: node.data.ref } })])] : [];
    case 'file':
    case 'content-ref':
      return [linkParagraph(node.data.ref)];
    case 'embed':
      return [linkParagraph({ kind: 'url', url: node.data.url })];
    case 'hint':
    case 'blockquote':
      return node.nodes;
    case 'stepper':
    case 'columns':
      return node.nodes.flatMap((each) => each.nodes);
    case 'updates':
      return node.nodes.flatMap((each) => [...titleParagraph([textNode(printDate(each.data.date))]), ...each.nodes]);
    case 'tabs':
      return node.nodes.flatMap((each) => [...titleParagraph([textNode(each.data.title ?? '')]), ...each.nodes]);
    case 'expandable':
      return expandableForm(node);
    case 'table':
      return tableForm(node);
    default:
      return undefined;
  }
}

function inlineImage(image: BlockOf<'image'>): Phrasing {
  const { ref, refDark, alt } = image.data;
  const caption = image.fragments.map(textOf).join(' ');
  const data = { ref, ...(refDark && { refDark }), ...(alt && { alt }), ...(caption && { caption }) };
  return { ...inline('inline-image', { data }), ...keyOf(image) };
}

const keyOf = ({ key }: Block): { key?: string } => (key === undefined ? {} : { key });

function linkParagraph(ref: ContentRef): Block {
  return paragraph([inline('link', { data: { ref }, nodes: [textNode(stableUrl(ref))] })]);
}

function titleParagraph(line: readonly Phrasing[]): Block[] {
  if (textOfLine(line).trim() === '') return [];
  const bold = line.map((node) => {
    if (node.object === 'inline') return node;
    return { ...node, leaves: node.leaves.map((leaf) => ({ ...leaf, marks: [mark('bold'), ...leaf.marks] })) };
  });
  return [paragraph(bold)];
}

function expandableForm(node: BlockOf<'expandable'>): Block[] {
  const [title] = fragmentNamed(node.fragments, 'expandable-title')?.nodes ?? [];
  const body = fragmentNamed(node.fragments, 'expandable-body')?.nodes ?? [];
  return [...(title?.type === 'paragraph' ? titleParagraph(title.nodes) : []), ...body];
}

/** A list with an item per record, which contains the title of each column with the content of the cell. */
function tableForm(table: BlockOf<'table'>): Block[] {
  const columns = tableColumns(table);
  const cells = cellsOf(table);
  const items = recordsOf(table).map(([, record]) => {
    const nodes = columns.flatMap((column) => {
      const value = record.values[column.id];
      const content = column.type === 'text' ? (cellAt(cells, record, column)?.nodes ?? []) : valueForm(value);
      return labelled(column.title, content);
    });
    return block('list-item', { data: {}, nodes: nodes.length > 0 ? nodes : [paragraph()] });
  });
  if (items.length > 0) return [block('list-unordered', { data: {}, nodes: items })];
  return titleParagraph([textNode(columns.map((column) => column.title).join(' '))]);
}

function labelled(title: string, content: readonly Block[]): Block[] {
  const [first, ...others] = content;
  if (!first || (others.length === 0 && isEmptyParagraph(first))) return [];
  const label = title.trim() === '' ? [] : [textNode(`${title}:`, [mark('bold')]), textNode(' ')];
  if (first.type === 'paragraph') return [paragraph([...label, ...first.nodes]), ...content.slice(1).flatMap(inItem)];
  return [...(label.length > 0 ? [paragraph(label.slice(0, 1))] : []), ...content.flatMap(inItem)];
}

/** Cells may contain blocks of any type, but list items may not. Other blocks become text. */
function inItem(node: Block): Block[] {
  const form = essentialForm(node);
  if (form) return form.flatMap(inItem);
  const isHeld = node.type === 'paragraph' || node.type === 'code' || node.type.startsWith('list-');
  return isHeld || node.type.startsWith('heading-') || node.type === 'divider' ? [node] : [paragraph(textOf(node))];
}

function valueForm(value: unknown): Block[] {
  if (value === undefined || value === null || value === false) return [];
  if (typeof value === 'object' && 'kind' in value) return [linkParagraph(value as ContentRef)]; // the only such cells
  if (typeof value === 'object' && 'ref' in value) return [linkParagraph(value.ref as ContentRef)]; // images
  return [paragraph(Array.isArray(value) ? value.join(', ') : String(value))];
}
