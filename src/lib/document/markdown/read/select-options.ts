import { textOfLine } from '../../plain-text.ts';
import { htmlText } from '../entities.ts';
import type { Item, MarkupElement } from './item.ts';
import type { ReadContext } from './read-context.ts';

type Option = { value: string; label: string; color: string };

/** The choices of a column, which GitBook writes as `<select><option>` in its header. */
export function optionsIn(header: MarkupElement | undefined): Option[] {
  return optionsBelow(header?.items ?? []).map((option) => {
    const label = option.attributes.get('label') ?? textIn(option);
    const value = option.attributes.get('value') ?? label;
    return { value, label, color: option.attributes.get('color') ?? 'blue' };
  });
}

/** The content of a header besides its choices. */
export const withoutOptions = (items: readonly Item[]): Item[] =>
  items.filter((item) => item.kind !== 'element' || (item.name !== 'select' && item.name !== 'option'));

/**
 * The values that a cell of a column with choices has: the options in it, elements with `data-option`, or else its
 * words between commas. Undefined for an empty cell.
 */
export function choicesIn(cell: MarkupElement, ctx: ReadContext, depth: number): string[] | undefined {
  const options = optionsBelow(cell.items).map((each) => each.attributes.get('value') ?? textIn(each));
  if (options.length > 0) return options;
  const marked = elementsBelow(cell.items, (each) => each.attributes.has('data-option'));
  if (marked.length > 0) return marked.map((each) => each.attributes.get('data-option') ?? '');
  const words = textOfLine(ctx.line(cell.items, depth)).split(/[,\n]/);
  const chosen = words.map((word) => word.trim()).filter(Boolean);
  return chosen.length > 0 ? chosen : undefined;
}

const optionsBelow = (items: readonly Item[]) => elementsBelow(items, ({ name }) => name === 'option');

function elementsBelow(items: readonly Item[], isWanted: (element: MarkupElement) => boolean): MarkupElement[] {
  return items.flatMap((item) => {
    if (item.kind !== 'element') return [];
    return isWanted(item) ? [item] : elementsBelow(item.items, isWanted);
  });
}

function textIn({ items }: MarkupElement): string {
  const parts = items.map((item) => {
    if (item.kind === 'text') return htmlText(item.source);
    return item.kind === 'element' ? textIn(item) : 'value' in item.node ? item.node.value : '';
  });
  return parts.join('').trim();
}
