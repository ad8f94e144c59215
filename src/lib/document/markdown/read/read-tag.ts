import { block, paragraph } from '../../build.ts';
import type { Block, Blocks, BlockType, HintStyle } from '../../document.ts';
import { flagOf, parseLength } from '../attribute-values.ts';
import { decodeEntities } from '../entities.ts';
import { isUnknownTag, sourceOfTag } from '../unknown-tag.ts';
import { readDate, readTagSlugs } from '../update-tags.ts';
import { separate, split } from './fit.ts';
import type { Item, MarkupElement } from './item.ts';
import { isBlank } from './items.ts';
import { readCodeTag } from './read-code.ts';
import type { ReadContext } from './read-context.ts';
import { readReferenceTag } from './read-reference-tag.ts';

/** The blocks for `{% name … %}` … `{% endname %}`. Tags with other names stay as they are. */
export function readTag(element: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  switch (element.name) {
    case '%hint':
      return readHint(element, ctx, depth);
    case '%if':
      return readIf(element, ctx, depth);
    case '%tabs':
      return readItems(element, ctx, depth, tabs);
    case '%stepper':
      return readItems(element, ctx, depth, steps);
    case '%updates':
      return hasDates(element) ? readItems(element, ctx, depth, updates) : readUnknown(element, ctx, depth);
    case '%columns':
      return readItems(element, ctx, depth, columns);
    case '%code':
      return readCodeTag(element, ctx, depth);
    default:
      return readReferenceTag(element, ctx, depth) ?? readUnknown(element, ctx, depth);
  }
}

const hintStyles: readonly HintStyle[] = ['info', 'warning', 'danger', 'success'];

function readHint(element: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  const style = hintStyles.find((each) => each === element.attributes.get('style')) ?? 'info';
  const icon = element.attributes.get('icon')?.slice(0, 50);
  const data = { style, ...(icon !== undefined && { icon }) };
  const blocks = ctx.blocks(element.items, depth + 1);
  return split({ type: 'hint', line: element.line, report: ctx.report }, blocks, (nodes) =>
    block('hint', { data, nodes }),
  );
}

function readIf(element: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  const named = /^expression="/.test(element.rest) ? element.attributes.get('expression') : undefined;
  const expression = named ?? decodeEntities(element.rest);
  const blocks = ctx.blocks(element.items, depth + 1);
  const parent = { type: 'if' as const, line: element.line, report: ctx.report };
  return split(parent, blocks, (nodes) => block('if', { data: { expression }, nodes }));
}

/** A block of items: the names of the tags, and the blocks they become. */
interface ItemsRule {
  itemTag: string;
  itemType: BlockType;
  itemOf(attributes: MarkupElement['attributes'], nodes: Block[]): Block;
  blockOf(attributes: MarkupElement['attributes'], nodes: Block[]): Block;
}

const tabs: ItemsRule = {
  itemTag: '%tab',
  itemType: 'tabs-item',
  itemOf(attributes, nodes) {
    const [title, icon, slug] = ['title', 'icon', 'slug'].map((name) => attributes.get(name));
    const data: Blocks['tabs-item']['data'] = {};
    if (title !== undefined) data.title = title;
    if (icon !== undefined) data.icon = icon.slice(0, 50);
    if (slug !== undefined) data.slug = slug;
    return block('tabs-item', { data, nodes });
  },
  blockOf: (attributes, nodes) =>
    block('tabs', { data: widthOf(attributes), nodes: nodes.filter(isType('tabs-item')) }),
};

const steps: ItemsRule = {
  itemTag: '%step',
  itemType: 'stepper-step',
  itemOf(attributes, nodes) {
    const icon = attributes.get('icon');
    return block('stepper-step', { data: icon === undefined ? {} : { icon }, nodes });
  },
  blockOf: (_, nodes) => block('stepper', { data: {}, nodes: nodes.filter(isType('stepper-step')) }),
};

const updates: ItemsRule = {
  itemTag: '%update',
  itemType: 'update',
  itemOf(attributes, nodes) {
    const tags = attributes.get('tags');
    const date = readDate(attributes.get('date')) ?? ''; // all items have one
    return block('update', { data: { date, ...(tags !== undefined && { tags: readTagSlugs(tags) }) }, nodes });
  },
  blockOf(attributes, nodes) {
    const format = (['numeric', 'short'] as const).find((each) => each === attributes.get('format')) ?? 'full';
    return block('updates', { data: { format }, nodes: nodes.filter(isType('update')) });
  },
};

/** Whether there are updates, all with a date that can be read. Others are kept as they were written. */
function hasDates({ items }: MarkupElement): boolean {
  const elements = items.filter((item): item is MarkupElement => item.kind === 'element' && item.name === '%update');
  return elements.length > 0 && elements.every(({ attributes }) => readDate(attributes.get('date')) !== undefined);
}

const columns: ItemsRule = {
  itemTag: '%column',
  itemType: 'column',
  itemOf(attributes, nodes) {
    const width = parseLength(attributes.get('width'));
    const align = (['top', 'middle', 'bottom'] as const).find((each) => each === attributes.get('verticalAlignment'));
    const data = { ...(width !== undefined && { width }), ...(align && { verticalAlignment: align }) };
    return block('column', { data, nodes });
  },
  blockOf: (attributes, nodes) =>
    block('columns', { data: widthOf(attributes), nodes: nodes.filter(isType('column')) }),
};

/** Content between items belongs to the preceding item. Content before the first item precedes the block. */
function readItems(element: MarkupElement, ctx: ReadContext, depth: number, rule: ItemsRule): Block[] {
  const before: Item[] = [];
  const groups: { element: MarkupElement; items: Item[] }[] = [];
  for (const item of element.items) {
    if (item.kind === 'element' && item.name === rule.itemTag) groups.push({ element: item, items: [...item.items] });
    else if (!isBlank(item)) (groups.at(-1)?.items ?? before).push(item);
  }
  const outside: Block[] = [];
  const nodes = groups.map(({ element: { attributes, line }, items }) => {
    const parent = { type: rule.itemType, line, report: ctx.report };
    const fitted = separate(parent, ctx.blocks(items, depth + 2));
    for (const each of fitted.outside) outside.push(each);
    return rule.itemOf(attributes, fitted.inside.length > 0 ? fitted.inside : [paragraph()]);
  });
  return [...ctx.blocks(before, depth), rule.blockOf(element.attributes, nodes), ...outside];
}

/** A tag without a meaning here is kept as it was written. */
function readUnknown(element: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  const source = isUnknownTag(element.name) ? sourceOfTag(element, ctx.lines) : undefined;
  ctx.report(element.line, `The tag ${element.source} is unknown and is kept as text.`);
  if (source !== undefined) return [block('unknown', { data: { source } })];
  const closing = `{% end${element.name.slice(1)} %}`;
  const content = ctx.blocks(element.items, depth);
  return [paragraph(element.source), ...content, paragraph(closing)];
}

function widthOf(attributes: MarkupElement['attributes']): { fullWidth?: boolean } {
  const fullWidth = flagOf(attributes.get('fullWidth'));
  return fullWidth === undefined ? {} : { fullWidth };
}

function isType<T extends BlockType>(type: T) {
  return (node: Block): node is Extract<Block, { type: T }> => node.type === type;
}
