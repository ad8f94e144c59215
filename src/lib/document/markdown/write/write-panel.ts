import { fragmentNamed } from '../../build.ts';
import type { Block, BlockOf, BlockType } from '../../document.ts';
import { printLength } from '../attribute-values.ts';
import { printDate, printTagSlugs } from '../update-tags.ts';
import { enclose } from './layout.ts';
import type { WriteContext } from './write-context.ts';
import { writeHtmlLine } from './write-html-line.ts';
import { closingTag, openingTag } from './write-tag.ts';

type WriteInside = (nodes: readonly Block[], parent: BlockType) => string;

/** A block that contains blocks between tags; undefined for other blocks. */
export function writePanel(node: Block, ctx: WriteContext, write: WriteInside): string | undefined {
  switch (node.type) {
    case 'hint':
      return between('hint', { style: node.data.style, icon: node.data.icon }, write(node.nodes, 'hint'));
    case 'if':
      return enclose(ifTag(node.data.expression), write(node.nodes, 'if'), closingTag('if'));
    case 'tabs':
      return around(
        'tabs',
        { fullWidth: node.data.fullWidth },
        node.nodes.map((item) => writeTab(item, write)),
      );
    case 'stepper':
      return around(
        'stepper',
        {},
        node.nodes.map((step) => writeStep(step, write)),
      );
    case 'updates':
      return around(
        'updates',
        { format: node.data.format },
        node.nodes.map((update) => writeUpdate(update, write)),
      );
    case 'columns':
      return around(
        'columns',
        { fullWidth: node.data.fullWidth },
        node.nodes.map((each) => writeColumn(each, write)),
      );
    case 'expandable':
      return writeExpandable(node, ctx, write);
    default:
      return undefined;
  }
}

type TagValues = Parameters<typeof openingTag>[1];

function between(name: string, values: TagValues, content: string): string {
  return enclose(openingTag(name, values), content, closingTag(name));
}

function around(name: string, values: TagValues, items: readonly string[]): string {
  return between(name, values, items.join('\n\n'));
}

/** The expression itself if it can be read back, otherwise as an attribute. */
function ifTag(expression: string): string {
  const isPlain =
    expression !== '' && expression === expression.trim() && !/[\n\r]|%\}|&#?\w+;|^expression="/.test(expression);
  return isPlain ? `{% if ${expression} %}` : openingTag('if', { expression });
}

function writeTab({ data, nodes }: BlockOf<'tabs-item'>, write: WriteInside): string {
  const { title, icon, slug } = data;
  return between('tab', { title, icon, slug }, write(nodes, 'tabs-item'));
}

function writeStep({ data, nodes }: BlockOf<'stepper-step'>, write: WriteInside): string {
  return between('step', { icon: data.icon }, write(nodes, 'stepper-step'));
}

function writeUpdate({ data: { date, tags }, nodes }: BlockOf<'update'>, write: WriteInside): string {
  const values = { date: printDate(date), tags: tags && printTagSlugs(tags) };
  return between('update', values, write(nodes, 'update'));
}

function writeColumn({ data, nodes }: BlockOf<'column'>, write: WriteInside): string {
  const width = data.width === undefined ? undefined : printLength(data.width);
  return between('column', { width, verticalAlignment: data.verticalAlignment }, write(nodes, 'column'));
}

/** `<details>`, with empty lines around its parts so that Markdown is read in them. */
function writeExpandable(node: BlockOf<'expandable'>, ctx: WriteContext, write: WriteInside): string {
  const [title] = fragmentNamed(node.fragments, 'expandable-title')?.nodes ?? [];
  const body = fragmentNamed(node.fragments, 'expandable-body')?.nodes ?? [];
  const summary = title?.type === 'paragraph' ? writeHtmlLine(title.nodes, ctx) : '';
  const opening = node.data.defaultExpanded ? '<details open>' : '<details>';
  const parts = [opening, `<summary>${summary}</summary>`, write(body, 'expandable'), '</details>'];
  return parts.filter((part) => part !== '').join('\n\n');
}
