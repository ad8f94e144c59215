import type { AnyNode, Block, BlockOf, Fragment, Inline, InlineOf, Phrasing } from './document.ts';
import { emojiOfCode } from './emoji.ts';
import { cellAt, cellsOf, recordsOf, tableColumns } from './table-cells.ts';

/** The words of a node, without marks and URLs. Blocks are separated by line breaks. */
export function textOf(node: AnyNode): string {
  if (node.object === 'text') return node.leaves.map((leaf) => leaf.text).join('');
  if (node.object === 'inline') return inlineText(node);
  if (node.object === 'fragment') return textOfBlocks(node.nodes);
  return blockText(node);
}

export function textOfBlocks(blocks: readonly Block[]): string {
  return blocks.map(blockText).filter(Boolean).join('\n');
}

export function textOfLine(nodes: readonly Phrasing[]): string {
  return nodes.map(textOf).join('');
}

function inlineText(node: Inline): string {
  switch (node.type) {
    case 'emoji':
      return emojiOfCode(node.data.code) ?? '';
    case 'inline-math':
      return node.data.formula;
    case 'expression':
      return node.data.expression;
    case 'button':
      return node.data.label;
    case 'inline-image':
      return [node.data.alt, node.data.caption].filter(Boolean).join(' ');
    case 'link':
      return textOfLine(node.nodes);
    case 'annotation':
      return `${annotatedText(node)} ${textOfFragments(node.fragments)}`;
    default:
      return '';
  }
}

/** Superscript text is a footnote sign, not part of the preceding word. */
function annotatedText({ nodes }: InlineOf<'annotation'>): string {
  const leaves = nodes.flatMap((node) => (node.object === 'text' ? node.leaves : []));
  return leaves.map((leaf) => (leaf.marks.some(({ type }) => type === 'superscript') ? '' : leaf.text)).join('');
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
    case 'code-line':
      return textOfLine(block.nodes);
    case 'table':
      return tableText(block);
    case 'tabs-item':
      return join(block.data.title, textOfBlocks(block.nodes));
    case 'code':
      return join(block.data.title, block.nodes.map(blockText).join('\n'));
    case 'image':
      return join(block.data.alt, textOfFragments(block.fragments));
    case 'expandable':
      return textOfFragments(block.fragments);
    case 'math':
      return block.data.formula;
    case 'unknown':
      return block.data.source;
    default:
      return 'nodes' in block ? textOfBlocks(block.nodes) : '';
  }
}

function tableText(table: BlockOf<'table'>): string {
  const columns = tableColumns(table);
  const cells = cellsOf(table);
  const titles = columns.map((column) => column.title).join(' ');
  const rows = recordsOf(table).map(([, record]) =>
    columns
      .map((column) => {
        const cell = cellAt(cells, record, column);
        if (cell) return textOf(cell);
        const value = record.values[column.id];
        return ['string', 'number'].includes(typeof value) ? String(value) : '';
      })
      .filter(Boolean)
      .join(' '),
  );
  return [titles, ...rows].filter((row) => row.trim() !== '').join('\n');
}

function textOfFragments(fragments: readonly Fragment[]): string {
  return fragments.map(textOf).filter(Boolean).join('\n');
}

function join(title: string | undefined, body: string): string {
  return [title, body].filter(Boolean).join('\n');
}
