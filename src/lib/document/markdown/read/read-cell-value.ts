import type { ContentRef } from '../../content-ref.ts';
import { isMediaRef } from '../../content-ref.ts';
import { cellShape } from '../../data-shapes.ts';
import type { TableColumn } from '../../document.ts';
import { textOfLine } from '../../plain-text.ts';
import { flagOf, jsonOf, numberValue } from '../attribute-values.ts';
import type { MarkupElement } from './item.ts';
import type { LinkKind, ReadContext } from './read-context.ts';
import { childNamed } from './read-image-element.ts';
import { choicesIn } from './select-options.ts';

/** The value of a cell in a column without text: from `data-value`, or from the content. */
export function readCellValue(cell: MarkupElement, column: TableColumn, ctx: ReadContext, depth: number): unknown {
  const stated = cellShape.safeParse(jsonOf(cell.attributes.get('data-value')));
  if (cell.attributes.has('data-value') && stated.success) return stated.data;
  switch (column.type) {
    case 'content-ref':
    case 'image':
      return refsIn(cell, ctx)[0];
    case 'files':
      return filesIn(refsIn(cell, ctx, 'file'));
    case 'users':
      return usersIn(refsIn(cell, ctx));
    case 'select':
      return choicesIn(cell, ctx, depth);
    default:
      return writtenValue(cell, column, textOfLine(ctx.line(cell.items, depth)).trim());
  }
}

function writtenValue(cell: MarkupElement, { type }: TableColumn, content: string): unknown {
  if (type === 'number' || type === 'rating') return numberValue(content);
  if (type === 'checkbox') return checkedIn(cell, content);
  return content === '' ? undefined : content.split(',').map((word) => word.trim());
}

function checkedIn(cell: MarkupElement, content: string): boolean | undefined {
  const box = childNamed(cell, 'input');
  if (box) return box.attributes.has('checked');
  return content === '' ? undefined : (flagOf(content) ?? false);
}

/** Files are stored by id. If one is not a file of this service, only the first is kept, as a reference. */
function filesIn(refs: readonly ContentRef[]): unknown {
  if (refs.length === 0) return undefined;
  return refs.every((ref) => ref.kind === 'file') ? refs.map((ref) => ref.file) : refs.find(isMediaRef);
}

function usersIn(refs: readonly ContentRef[]): unknown {
  const users = refs.flatMap((ref) => (ref.kind === 'user' ? [ref.user] : []));
  return users.length > 0 ? users : undefined;
}

function refsIn(cell: MarkupElement, ctx: ReadContext, kind: LinkKind = 'link'): ContentRef[] {
  return cell.items.flatMap((item): ContentRef[] => {
    if (item.kind !== 'element') return [];
    const href = item.name === 'a' ? item.attributes.get('href') : undefined;
    if (href !== undefined) return [ctx.refOf(href, kind)];
    const src = item.name === 'img' ? item.attributes.get('src') : undefined;
    return src === undefined ? refsIn(item, ctx, kind) : [ctx.mediaOf(src)];
  });
}
