import type { List, ListItem } from 'mdast';
import { block, paragraph } from '../../build.ts';
import type { Block, BlockOf } from '../../document.ts';
import { separate } from './fit.ts';
import type { Item, MarkupElement } from './item.ts';
import { isBlank } from './items.ts';
import type { ReadContext } from './read-context.ts';

/** Levels between a list and the blocks of its items. */
const ITEM_DEPTH = 2;

type ListType = 'list-ordered' | 'list-unordered' | 'list-tasks';

interface ItemContent {
  checked: boolean | undefined;
  blocks: Block[];
  line: number;
}

/** A Markdown list. Bullets with and without a check become separate lists, as documents have two kinds. */
export function readList(list: List, ctx: ReadContext, depth: number): Block[] {
  const line = list.position?.start.line ?? 0;
  const items = list.children.map((item) => contentOf(item, ctx, depth));
  if (list.ordered && items.some((item) => item.checked !== undefined)) {
    ctx.report(line, 'A numbered task list loses its numbers.');
  }
  const isOrdered = list.ordered === true && items.every((item) => item.checked === undefined);
  if (isOrdered) return buildList('list-ordered', items, list.start ?? 1, ctx);
  return runsOf(items).flatMap((run) => buildList(bulletType(run), run, 1, ctx));
}

/** `<ul>` or `<ol>`. Content between the items counts as an item. */
export function readListElement(element: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  const items = listItems(element).map(({ items: inside, line }) => {
    const box = inside.find((item) => !isBlank(item));
    const isTask = box?.kind === 'element' && box.name === 'input' && box.attributes.get('type') === 'checkbox';
    const checked = isTask ? box.attributes.has('checked') : undefined;
    return {
      checked,
      blocks: ctx.blocks(isTask ? inside.slice(inside.indexOf(box) + 1) : inside, depth + ITEM_DEPTH),
      line,
    };
  });
  const start = Number(element.attributes.get('start') ?? 1);
  const isOrdered = element.name === 'ol' && items.every((item) => item.checked === undefined);
  if (isOrdered) return buildList('list-ordered', items, Number.isSafeInteger(start) ? start : 1, ctx);
  return runsOf(items).flatMap((run) => buildList(bulletType(run), run, 1, ctx));
}

function contentOf(item: ListItem, ctx: ReadContext, depth: number): ItemContent {
  return {
    checked: item.checked ?? undefined,
    blocks: ctx.blocksOf(item.children, depth + ITEM_DEPTH),
    line: item.position?.start.line ?? 0,
  };
}

/**
 * Blocks that are not allowed in an item follow the list, together with the rest of the item. The list continues after
 * them.
 */
function buildList(type: ListType, items: readonly ItemContent[], start: number, ctx: ReadContext): Block[] {
  const result: Block[] = [];
  let current: BlockOf<'list-item'>[] = [];
  let number = start;
  const flush = (): void => {
    if (current.length > 0) result.push(listOf(type, current, number - current.length));
    current = [];
  };
  for (const { checked, blocks, line } of items) {
    const { inside, outside } = untilUnfit(blocks, line, ctx);
    const data = type === 'list-tasks' ? { checked: checked === true } : {};
    current.push(block('list-item', { data, nodes: inside.length > 0 ? inside : [paragraph()] }));
    number += 1;
    if (outside.length > 0) flush();
    for (const each of outside) result.push(each);
  }
  flush();
  return result;
}

/** Splits blocks before the first one that is not allowed in a list item. */
function untilUnfit(blocks: readonly Block[], line: number, ctx: ReadContext): { inside: Block[]; outside: Block[] } {
  const inside: Block[] = [];
  for (const [i, each] of blocks.entries()) {
    const fitted = separate({ type: 'list-item', line, report: ctx.report }, [each]);
    inside.push(...fitted.inside);
    if (fitted.outside.length > 0) return { inside, outside: [...fitted.outside, ...blocks.slice(i + 1)] };
  }
  return { inside, outside: [] };
}

function listOf(type: ListType, nodes: BlockOf<'list-item'>[], start: number): Block {
  return type === 'list-ordered' ? block(type, { data: { start }, nodes }) : block(type, { data: {}, nodes });
}

function bulletType(run: readonly ItemContent[]): ListType {
  return run[0]?.checked === undefined ? 'list-unordered' : 'list-tasks';
}

function runsOf(items: readonly ItemContent[]): ItemContent[][] {
  const runs: ItemContent[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (run && (run[0]?.checked === undefined) === (item.checked === undefined)) run.push(item);
    else runs.push([item]);
  }
  return runs;
}

function listItems(element: MarkupElement): { items: Item[]; line: number }[] {
  const items: { items: Item[]; line: number }[] = [];
  for (const item of element.items) {
    if (item.kind === 'element' && item.name === 'li') items.push(item);
    else if (!isBlank(item)) items.push({ items: [item], line: element.line });
  }
  return items;
}
